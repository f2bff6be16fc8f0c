import * as fc from 'fast-check';
import type { Schema } from '#test/support/declared-answers.js';

/** Values that no field accepts, or at the limit of what one accepts. */
const HOSTILE: readonly unknown[] = [
  null,
  {},
  [],
  [[]],
  [null],
  [{}],
  true,
  0,
  -1,
  0.1,
  1e308,
  9_007_199_254_740_993,
  '',
  ' ',
  '1',
  'NaN',
  '\u0000',
  'a\u0000b',
  '\ud800',
  ['\udfff'],
  '\u202e\u200b',
  '../../etc/passwd',
  "'; DROP TABLE events; --",
  'x'.repeat(70_000),
  Array.from({ length: 3_000 }, (_, index) => index),
  { $ne: null },
  { toString: 1, valueOf: 1, length: 1e9 },
];

const TEXTS = ['crm', 'VP Sales', 'Zoë', '営業', '🦊', "O'Neil", 'a'.repeat(100)];
const DATES = ['2026-05-01', '2024-02-29', '2026-06-01T10:00:00Z', '2026-05-31T23:59:59.999+02:00'];

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Ids for a parameter or field of this name. */
export type IdsOf = (name: string) => fc.Arbitrary<unknown>;

/** Values that a request schema accepts; beyond the schema they may still be refused. */
export function validValue(schema: Schema, idsOf: IdsOf, name = ''): fc.Arbitrary<unknown> {
  const { type, properties, items } = schema;
  const below = (each: unknown, named: string): fc.Arbitrary<unknown> =>
    isSchema(each) ? validValue(each, idsOf, named) : fc.jsonValue();
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
  for (const keyword of ['anyOf', 'oneOf']) {
    const choices = schema[keyword];
    if (Array.isArray(choices)) return fc.oneof(...choices.map((each: unknown) => below(each, name)));
  }
  if (Array.isArray(type)) {
    return fc.oneof(...type.map((each: unknown) => below({ ...schema, type: each }, name)));
  }
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return /(^|_)ids?$/.test(name) ? idsOf(name) : integers(schema);
    case 'string':
      return texts(schema);
    case 'array': {
      const constraints = { minLength: Number(schema['minItems'] ?? 0), maxLength: 4 };
      return schema['uniqueItems'] === true
        ? fc.uniqueArray(below(items, name), constraints)
        : fc.array(below(items, name), constraints);
    }
    case 'object':
      return isSchema(properties)
        ? objects(schema, properties, below)
        : fc.dictionary(fc.string(), fc.jsonValue());
    default:
      return fc.jsonValue();
  }
}

function integers(schema: Schema): fc.Arbitrary<number> {
  const min = Math.max(Number(schema['minimum'] ?? -1_000), -1_000);
  return fc.integer({ min, max: Math.min(Number(schema['maximum'] ?? 1_000), min + 1_000) });
}

function texts(schema: Schema): fc.Arbitrary<string> {
  if (typeof schema['format'] === 'string') return fc.constantFrom(...DATES);
  const maxLength = Math.min(Number(schema['maxLength'] ?? 100), 100);
  return fc.oneof(
    fc.constantFrom(...TEXTS),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: Math.ceil(maxLength / 4) }),
  );
}

function objects(
  schema: Schema,
  properties: Schema,
  below: (each: unknown, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<object> {
  const members = Object.entries(properties).map(([name, each]) => [name, below(each, name)] as const);
  const requiredKeys = Array.isArray(schema['required']) ? schema['required'] : [];
  return fc.record(Object.fromEntries(members), { requiredKeys });
}

/** A change of one place in a JSON value; `at` picks the place. */
type Mutation = {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'pollute' | 'bury';
  readonly value: unknown;
};

/** The value with one to three places changed. */
export function mutatedValue(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const mutation: fc.Arbitrary<Mutation> = fc.record({
    at: fc.nat(200),
    how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'pollute', 'bury'),
    value: hostileValue,
  });
  return fc
    .tuple(value, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([whole, mutations]) => mutations.reduce<unknown>(mutate, structuredClone(whole)));
}

function mutate(whole: unknown, { at, how, value }: Mutation): unknown {
  const places: { readonly holder: object; readonly key: string }[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push({ holder: node, key });
      walk(Reflect.get(node, key));
    }
  };
  walk(whole);
  const place = places[at % Math.max(places.length, 1)];
  if (place === undefined) return how === 'remove' ? {} : structuredClone(value);
  const { holder, key } = place;
  if (how === 'remove') Reflect.deleteProperty(holder, key);
  else
    define(
      holder,
      how === 'pollute' ? '__proto__' : key,
      how === 'bury' ? [[Reflect.get(holder, key)]] : value,
    );
  return whole;
}

/** Sets an own property with any name. */
function define(holder: object, key: string, sent: unknown): void {
  // a later mutation must not change other requests
  const value = structuredClone(sent);
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
