import { isObject } from '#kernel/values/json.js';
import type { JsonSchema } from './parameters.js';

/** A part of the OpenAPI document: plain JSON. */
export type Documented = { readonly [key: string]: unknown };

/** Keywords whose value is one schema, or a list of them. */
const BELOW = ['items', 'anyOf', 'oneOf', 'prefixItems'] as const;

/**
 * The schema of an answer with every object closed, so that a test that checks an answer against it finds undeclared
 * members. Objects without declared properties, such as the parameters of a setup, stay open.
 */
export function closedSchema(schema: JsonSchema): JsonSchema {
  // each part would forbid the members of the others
  if (schema['allOf'] !== undefined) throw new Error('an answer is composed with Type.Composite');
  const closed: Record<string, unknown> = Object.fromEntries(Object.entries(schema));
  const { properties, additionalProperties } = schema;
  if (isObject(properties)) {
    closed['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, closedAll(each)]),
    );
    closed['additionalProperties'] = closedAll(additionalProperties ?? false);
  }
  for (const keyword of BELOW) if (keyword in closed) closed[keyword] = closedAll(closed[keyword]);
  return closed;
}

function closedAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedAll);
  return isObject(value) ? closedSchema(value) : value;
}
