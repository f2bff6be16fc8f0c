import type { JsonValue } from '#kernel/values/json.js';
import type { Documented } from './openapi-schemas.js';
import type { JsonSchema } from './parameters.js';

/** What a field means, for who reads the reference; an example where its schema names no values; the unit of a number. */
export type Meaning = readonly [means: string, example?: JsonValue, unit?: string];

/** Meanings by name of the field. */
export type Meanings = { readonly [field: string]: Meaning };

/** What some schemas or operations (by id) have in common, or, without `of`, what a name means everywhere. */
export type ReferencePart = { readonly of?: readonly string[]; readonly fields: Meanings };

/** The meanings of fields and parameters, as the document and every page of it show them. */
export type Reference = {
  /** Of a field of a named schema. Empty where nothing is known. */
  readonly ofField: (owner: string, field: string, schema: JsonSchema) => Documented;
  /** Of a parameter: of this operation, or else what `{name}` means in paths or `?name` in queries. */
  readonly ofParameter: (
    operation: string,
    parameter: { readonly name: string; readonly place: 'path' | 'query'; readonly schema: JsonSchema },
  ) => Documented;
  /** Entries that describe nothing of what was asked so far. */
  readonly unused: () => readonly string[];
};

/** Puts the parts of a reference together. Throws where something is described twice. */
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

/** Moments look alike everywhere. */
const EXAMPLES: { readonly [format: string]: JsonValue } = {
  date: '2026-07-01',
  'date-time': '2026-07-01T09:30:00.000Z',
};

function exampleOf(schema: JsonSchema): JsonValue | undefined {
  const forms = [schema, ...(Array.isArray(schema['anyOf']) ? schema['anyOf'] : [])];
  const format: unknown = forms.map((form) => form['format']).findLast((each) => each !== undefined);
  return typeof format === 'string' ? EXAMPLES[format] : undefined;
}
