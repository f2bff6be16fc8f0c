import { isObject } from '#kernel/values/json.js';
import { VOCABULARIES } from '#apps/api/src/reference/vocabularies.js';
import { apiDocument } from '#test/support/declared-answers.js';
import { expectNone } from './expect-none.js';

const api: { readonly [key: string]: unknown } = JSON.parse(JSON.stringify(apiDocument()));
const paths = Object.entries(isObject(api['paths']) ? api['paths'] : {});
const column = (name: 'v2' | 'v3' | 'note'): ReadonlySet<string> =>
  new Set(
    VOCABULARIES.flatMap((pair) => [...pair[name].matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)),
  );
const words = new Set([...column('v2'), ...column('v3')]);
const REMEDY =
  'mend apps/api/src/reference/vocabularies.ts, the page of the two vocabularies: each word in back quotes, in a pair or in the note of a row';

/** Names of fields at any depth of a part of the document; references are followed once. */
function fieldsIn(part: unknown, into: Set<string> = new Set(), seen: Set<string> = new Set()): Set<string> {
  if (Array.isArray(part)) for (const each of part) fieldsIn(each, into, seen);
  if (!isObject(part)) return into;
  const reference = part['$ref'];
  if (typeof reference === 'string' && !seen.has(reference)) {
    seen.add(reference);
    const steps = reference.replace('#/', '').split('/');
    fieldsIn(
      steps.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), api),
      into,
      seen,
    );
  }
  const { properties } = part;
  if (isObject(properties)) for (const name of Object.keys(properties)) into.add(name);
  if (part['in'] === 'query' && typeof part['name'] === 'string') into.add(part['name']);
  for (const [key, below] of Object.entries(part)) {
    // An example is no declaration, and a problem is the same on both paths.
    if (!/^(example|examples|[45]\d\d)$/.test(key)) fieldsIn(below, into, seen);
  }
  return into;
}

const without = (left: Iterable<string>, right: ReadonlySet<string>): readonly string[] =>
  [...left].filter((name) => !right.has(name));

describe('the page of the two vocabularies', () => {
  it('lists the names that differ between an older path and its successor, including the path itself', () => {
    const missing = paths.flatMap(([path, operations]) =>
      Object.values(isObject(operations) ? operations : {}).flatMap((operation) => {
        if (!isObject(operation) || operation['deprecated'] !== true) return [];
        const [, successor = ''] = /Use `([^`]+)` instead/.exec(String(operation['description'])) ?? [];
        const newer = paths.find(([each]) => each === successor)?.[1];
        const renamed = newer === undefined ? [] : without(fieldsIn(operation), fieldsIn(newer));
        const base = path.replace(/\/\{.*/, '');
        return [base, ...renamed].filter((name) => !words.has(name));
      }),
    );
    expect(paths.length).toBeGreaterThan(60);
    expectNone([...new Set(missing)], REMEDY);
  });

  it('lists the names that differ between an agent and a detection of v2 and a setup and a signal of v3', () => {
    const documented = new Set([...words, ...column('note')]);
    const own = (name: string) => fieldsIn({ properties: schemaOf(name)['properties'] });
    const missing = [
      ['Agent', 'SignalSetup'],
      ['Detection', 'Signal'],
    ].flatMap(([older = '', newer = '']) => [
      ...without(Object.keys(schemaOf(older)['properties'] ?? {}), own(newer)),
      ...without(Object.keys(schemaOf(newer)['properties'] ?? {}), own(older)),
    ]);
    expect(missing).toContain('watchlist_id');
    // Setups have no query by time of change.
    expectNone(
      missing.filter((name) => !documented.has(name) && name !== 'updated_at'),
      REMEDY,
    );
  });

  it('names nothing that the API does not have', () => {
    const known = fieldsIn(api['paths']);
    const isThere = (word: string): boolean =>
      word.startsWith('/')
        ? paths.some(([path]) => path.startsWith(word) || path.endsWith(word))
        : word.split('.').every((name) => known.has(name));
    expectNone(
      [...words].filter((word) => !isThere(word)),
      REMEDY,
    );
  });
});

function schemaOf(name: string): { readonly [key: string]: unknown } {
  const { components } = api;
  const schemas = isObject(components) ? components['schemas'] : undefined;
  const schema = isObject(schemas) ? schemas[name] : undefined;
  if (!isObject(schema)) throw new Error(`no schema ${name}`);
  return schema;
}
