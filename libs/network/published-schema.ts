import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { observationLines } from './observation-lines.js';
import { readingOf } from './observed-values.js';

/**
 * The JSON Schema (2020-12) of a line, for authors of lines: the schemas of `checkLine`, with regular expressions for
 * the checks that only this service can do. It refuses no line that the service accepts.
 */
export function observationSchema(): JsonObject {
  const kinds = Object.entries(observationLines);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Observation',
    description: 'One line of an ingest: something that was seen on the network.',
    oneOf: kinds.map(([kind]) => ({ $ref: `#/$defs/${kind}` })),
    $defs: Object.fromEntries(
      kinds.map(([kind, schema]): [string, JsonValue] => [
        kind,
        portable(JSON.parse(JSON.stringify(schema))),
      ]),
    ),
  };
}

/** The same without own keywords. */
function portable(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(portable);
  if (!isJsonObject(schema)) return schema;
  const pattern = readingOf(String(schema['reads']))?.pattern;
  const members = Object.entries(schema).filter(([name]) => name !== 'reads' && name !== 'storable');
  return {
    ...Object.fromEntries(members.map(([name, member]) => [name, portable(member ?? null)])),
    ...(pattern === undefined ? {} : { pattern }),
  };
}
