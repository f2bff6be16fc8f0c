import type { JsonValue } from '#kernel/values/json.js';
import type { Documented } from './openapi-schemas.js';
import type { JsonSchema } from './parameters.js';

/** The description of a field for the reference; an example if its schema lists no values; the unit of a number. */
export type Meaning = readonly [means: string, example?: JsonValue, unit?: string];

/** Meanings by name of the field. */
export type Meanings = { readonly [field: string]: Meaning };

/**
 * The common descriptions of some schemas or operations (by id), or, without `of`, the meaning of a name everywhere.
 */
export type ReferencePart = { readonly of?: readonly string[]; readonly fields: Meanings };

/** The descriptions of fields and parameters in the document and on its pages. */
export type Reference = {
  /** Of a field of a named schema; empty if it has none. */
  readonly ofField: (owner: string, field: string, schema: JsonSchema) => Documented;
  /** Of a parameter: for this operation, or the general meaning of `{name}` in paths or `?name` in queries. */
  readonly ofParameter: (
    operation: string,
    parameter: { readonly name: string; readonly place: 'path' | 'query'; readonly schema: JsonSchema },
  ) => Documented;
  /** Entries that were not used so far. */
  readonly unused: () => readonly string[];
};

/** Combines the parts of a reference. Throws if something is described twice. */
export function referenceOf(parts: readonly ReferencePart[]): Reference {
  const meanings = new Map<string, Meaning>();
  for (const { of: owners, fields } of parts) {
    for (const [field, meaning] of Object.entries(fields)) {
      for (const key of owners === undefined ? [field] : owners.map((owner) => `${owner}.${field}`)) {
        if (meanings.has(key)) throw new Error(`${key} is described twice`);
        meanings.set(key, meaning);
      }
    }
  }
  const used = new Set<string>();
  const found = (keys: readonly string[], schema: JsonSchema): Documented => {
    const key = keys.find((each) => meanings.has(each));
    const meaning = key === undefined ? undefined : meanings.get(key);
    if (key === undefined || meaning === undefined) return {};
    used.add(key);
    const [means, example = exampleOf(schema), unit] = meaning;
    return {
      description: unit === undefined ? means : `${means} Unit: ${unit}.`,
      ...(example === undefined ? {} : { examples: [example] }),
      ...(unit === undefined ? {} : { 'x-unit': unit }),
    };
  };
  return {
    ofField: (owner, field, schema) => found([`${owner}.${field}`, field], schema),
    ofParameter: (operation, { name, place, schema }) =>
      found([`${operation}.${name}`, place === 'path' ? `{${name}}` : `?${name}`, name], schema),
    unused: () => [...meanings.keys()].filter((key) => !used.has(key)),
  };
}

export const noReference: Reference = referenceOf([]);

/** One example for all timestamps. */
const EXAMPLES: { readonly [format: string]: JsonValue } = {
  date: '2026-07-01',
  'date-time': '2026-07-01T09:30:00.000Z',
};

function exampleOf(schema: JsonSchema): JsonValue | undefined {
  const forms = [schema, ...(Array.isArray(schema['anyOf']) ? schema['anyOf'] : [])];
  const format: unknown = forms.map((form) => form['format']).findLast((each) => each !== undefined);
  return typeof format === 'string' ? EXAMPLES[format] : undefined;
}
