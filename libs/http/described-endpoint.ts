import { pascalCase } from '#kernel/values/capitalized.js';
import { isObject } from '#kernel/values/json.js';
import { shapeOf, toDocumentedSchema } from './body-shape.js';
import { bodyClass } from './compiled-endpoint.js';
import type { DeclaredEndpoint } from './endpoint.js';
import { operationIdOf } from './openapi.js';
import { schemaComponents } from './openapi-components.js';
import { closedSchema } from './openapi-schemas.js';
import type { JsonSchema } from './parameters.js';
import type { Reference } from './reference.js';

/** The part of a request that a value belongs to. */
export type ArgumentPlace = 'params' | 'query' | 'body';

/** The request and answer of an endpoint, for readers that follow no references: each schema is complete. */
export type DescribedEndpoint = {
  /** The values it takes, by name, from all parts of the request. */
  readonly properties: { readonly [name: string]: JsonSchema };
  /** Names of the required values. */
  readonly required: readonly string[];
  readonly places: ReadonlyMap<string, ArgumentPlace>;
  /** The schema of its answer; null if it has none. */
  readonly answer: JsonSchema | null;
};

/** Describes a declaration with the texts of its reference. Throws if two parts of the request share a name. */
export function describeEndpoint(declared: DeclaredEndpoint, reference: Reference): DescribedEndpoint {
  const operation = operationIdOf(declared, declared.paths[0] ?? '');
  const places = new Map<string, ArgumentPlace>();
  const properties: Record<string, JsonSchema> = {};
  const add = (name: string, place: ArgumentPlace, schema: JsonSchema): void => {
    if (places.has(name)) throw new Error(`${operation} takes ${name} in two places`);
    places.set(name, place);
    properties[name] = schema;
  };
  for (const [name, { schema }] of Object.entries(declared.params ?? {})) {
    const parameter = { name, place: 'path' as const, schema };
    add(name, 'params', { ...schema, ...reference.ofParameter(operation, parameter) });
  }
  for (const [key, parameter] of Object.entries(declared.query ?? {}))
    for (const { name, schema, description } of parameter.document(key)) {
      const means = reference.ofParameter(operation, { name, place: 'query', schema });
      const sentences = [means['description'], description].filter((sentence) => sentence !== undefined);
      add(name, 'query', {
        ...schema,
        ...means,
        ...(sentences.length === 0 ? {} : { description: sentences.join(' ') }),
      });
    }
  const body = bodySchema(declared, reference);
  for (const [name, schema] of Object.entries(body.properties)) add(name, 'body', schema);
  return {
    properties,
    required: [...Object.keys(declared.params ?? {}), ...body.required],
    places,
    answer: answerSchema(declared, operation, reference),
  };
}

function bodySchema(
  declared: DeclaredEndpoint,
  reference: Reference,
): Pick<DescribedEndpoint, 'properties' | 'required'> {
  const { body } = declared;
  if (body === undefined || (typeof body === 'object' && body.describedBy === null))
    return { properties: {}, required: [] };
  const { oneOf: _one, anyOf: _some, ...members } = toDocumentedSchema(shapeOf(bodyClass(declared)));
  const { properties, required } = whole(members, bodyClass(declared).name, reference);
  const named = isObject(properties) ? Object.entries(properties) : [];
  return {
    properties: Object.fromEntries(
      named.flatMap(([field, each]) => (isObject(each) ? [[field, each] as const] : [])),
    ),
    required: Array.isArray(required) ? required.map(String) : [],
  };
}

function answerSchema(
  { response }: DeclaredEndpoint,
  operation: string,
  reference: Reference,
): JsonSchema | null {
  return response === undefined
    ? null
    : whole(closedSchema(response), `${pascalCase(operation)}Answer`, reference);
}

/** The schema with its descriptions, and with references replaced by their targets. */
function whole(schema: JsonSchema, name: string, reference: Reference): JsonSchema {
  const components = schemaComponents(reference);
  const shown = components.refer(schema, name);
  return inlined(shown, components.schemas());
}

const POINTS_TO = '#/components/schemas/';

function inlined(schema: JsonSchema, named: { readonly [name: string]: JsonSchema }): JsonSchema {
  const { $ref, ...own } = schema;
  const target = typeof $ref === 'string' ? named[$ref.slice(POINTS_TO.length)] : undefined;
  const entries = Object.entries({ ...target, ...own }).map(([keyword, value]) => [
    keyword,
    isObject(value)
      ? keyword === 'properties'
        ? Object.fromEntries(
            Object.entries(value).map(([name, each]) => [name, isObject(each) ? inlined(each, named) : each]),
          )
        : inlined(value, named)
      : Array.isArray(value)
        ? value.map((each: unknown) =>
            isObject(each) && keyword !== 'examples' ? inlined(each, named) : each,
          )
        : value,
  ]);
  return Object.fromEntries(entries);
}
