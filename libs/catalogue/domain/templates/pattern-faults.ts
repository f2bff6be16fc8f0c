import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { linearPattern } from '#kernel/values/linear-pattern.js';

/** A `pattern` that would not be enforced, by its path inside the schema. */
export type PatternFault = { readonly path: string; readonly message: string };

/** Keywords with one schema, with a list of schemas, and with schemas by name. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'if',
  'then',
  'else',
  'not',
  'prefixItems',
  'allOf',
  'anyOf',
  'oneOf',
]);
const SCHEMAS_BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);

/** Keywords that imply an array or an object if no type is given. */
const OF_OTHER_TYPES: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'properties',
]);

/**
 * The patterns of a JSON Schema of an object that would not be enforced: those that cannot be run in linear time, and
 * those of a value that is no text.
 */
export function patternFaults(schema: JsonObject): readonly PatternFault[] {
  return faultsIn(schema, '');
}

function faultsIn(schema: JsonValue | undefined, path: string): readonly PatternFault[] {
  if (Array.isArray(schema)) return schema.flatMap((each, place) => faultsIn(each, `${path}.${place}`));
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const place = `${path}.${keyword}`;
    if (keyword === 'pattern') return patternFault(schema, value, place);
    if (SCHEMAS.has(keyword)) return faultsIn(value, place);
    if (SCHEMAS_BY_NAME.has(keyword) && isJsonObject(value))
      return Object.entries(value).flatMap(([name, each]) => [
        ...(keyword === 'patternProperties' ? unrunnable(name, `${place}.${name}`) : []),
        ...faultsIn(each, `${place}.${name}`),
      ]);
    return [];
  });
}

function patternFault(
  schema: JsonObject,
  pattern: JsonValue | undefined,
  path: string,
): readonly PatternFault[] {
  // The meta-schema refuses a pattern that is no text.
  if (typeof pattern !== 'string') return [];
  if (isOfText(schema) && path !== '.pattern') return unrunnable(pattern, path);
  const message = 'applies to text only and would never be enforced here: use it with the type string';
  return [{ path: path.slice(1), message }];
}

function isOfText(schema: JsonObject): boolean {
  const { type } = schema;
  if (type === undefined) return !Object.keys(schema).some((keyword) => OF_OTHER_TYPES.has(keyword));
  return [type].flat().includes('string');
}

function unrunnable(pattern: string, path: string): readonly PatternFault[] {
  try {
    linearPattern(pattern);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ path: path.slice(1), message: `the pattern ${pattern} cannot be run in linear time: ${why}` }];
  }
}
