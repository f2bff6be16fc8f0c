import fc from 'fast-check';
import type { Filter, Query, Scalar, Sort, ViewShape } from '#kernel/ports/read-store.port.js';
import { naiveFind, naiveGroups, type Row } from './naive-query.js';
import { checkpointAt, placePerCase, publish, type MakeReadStorePlace } from './read-store-fixture.js';
import { SHOWN_AS_FOUND } from '#test/support/shown-as-found.js';

export function readStorePropertyCases(makePlace: MakeReadStorePlace): void {
  describe('properties of queries', () => {
    const { store } = placePerCase(makePlace);

    it('answers any query as the port defines it', async () => {
      let view = 0;
      await fc.assert(
        fc.asyncProperty(rowsArbitrary, queryArbitrary, async (rows, query) => {
          const generation = { view: { ...samples, name: `samples${(view += 1)}` }, generation: 1 };
          const fence = await publish(store, generation, rows);
          const sample = generation.view;
          expect(await store.find(sample, query)).toEqual(naiveFind(rows, query));
          const { where, anyOf } = query;
          const filter = {
            ...(where === undefined ? {} : { where }),
            ...(anyOf === undefined ? {} : { anyOf }),
          };
          expect(await store.count(sample, filter)).toBe(naiveFind(rows, filter).length);
          const grouping = { by: ['word', 'size'], sum: 'size' };
          expect(await store.groups(sample, filter, grouping)).toEqual(naiveGroups(rows, filter, grouping));
          await store.withdraw(generation, fence);
          await store.dropGeneration(generation);
        }),
        { numRuns: 150, ...SHOWN_AS_FOUND },
      );
    });

    it('returns every row once and in order, page by page, for any directions and equal values', async () => {
      let view = 0;
      await fc.assert(
        fc.asyncProperty(
          rowsArbitrary,
          pagingArbitrary,
          fc.integer({ min: 1, max: 4 }),
          async (rows, query, limit) => {
            const generation = {
              view: { ...samples, compact: true as const, name: `pages${(view += 1)}` },
              generation: 1,
            };
            const fence = await publish(store, generation, rows);
            const seen: Row['document'][] = [];
            for (let after: Query['after']; ;) {
              const page = await store.find<Row['document']>(generation.view, {
                ...query,
                limit,
                ...(after === undefined ? {} : { after }),
              });
              seen.push(...page);
              const last = page.at(-1);
              if (last === undefined || seen.length > rows.length) break;
              after = query.sort.map(([field]) => last[field] ?? 'null in a sort field');
            }
            expect(seen).toEqual(naiveFind(rows, query));
            await store.withdraw(generation, fence);
            await store.dropGeneration(generation);
          },
        ),
        { numRuns: 150, ...SHOWN_AS_FOUND },
      );
    });

    it('returns pages of several values as they are at the request, whatever changed since the last one', async () => {
      let view = 0;
      await fc.assert(
        fc.asyncProperty(
          rowsArbitrary,
          severalArbitrary,
          directionArbitrary,
          fc.array(changeArbitrary, { maxLength: 9 }),
          async (rows, several, direction, changes) => {
            const generation = { view: { ...samples, name: `changes${(view += 1)}` }, generation: 1 };
            const fence = await publish(store, generation, rows);
            const kept = new Map(rows.map((row) => [row.key, row]));
            const sort: Sort = [
              ['day', direction],
              ['id', direction],
            ];
            let after: Query['after'];
            for (const [position, { key, document }] of [...changes, ...changes].entries()) {
              const query = { ...several, sort, limit: 2, ...(after === undefined ? {} : { after }) };
              const page = await store.find<Row['document']>(generation.view, query);
              expect(page).toEqual(naiveFind([...kept.values()], query));
              after =
                page.at(-1) === undefined ? undefined : [page.at(-1)?.['day'] ?? 0, page.at(-1)?.['id'] ?? 0];
              if (document === null) kept.delete(key);
              else kept.set(key, { key, document });
              const checkpoint = checkpointAt(position + 2);
              const documents = [{ key, document, position: checkpoint.position }];
              await store.write([{ generation, documents, checkpoint }], fence);
            }
            await store.withdraw(generation, fence);
            await store.dropGeneration(generation);
          },
        ),
        { numRuns: 60, ...SHOWN_AS_FOUND },
      );
    });
  });
}

const samples: ViewShape = {
  name: 'samples',
  version: 1,
  indexes: {
    byDay: ['owner', 'day', 'id'],
    byWord: ['owner', 'word', 'size'],
    byFlag: ['flag', 'day', 'id'],
    byTime: ['owner', 'time', 'id'],
    byName: ['name', 'id'],
    bySize: ['owner', 'size', 'day', 'id'],
    atTime: ['time', 'day', 'id'],
    largest: ['size', 'id'],
  },
  onlyWith: { byWord: 'word', bySize: 'size', largest: 'size' },
  instants: ['time'],
};

const INSTANTS = [
  '0000-01-01T00:00:00.000Z',
  '2026-01-05T00:00:00.000Z',
  '2026-01-05T00:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
];

/** Few values, so that many are equal; texts for which UTF-16 order and code point order differ. */
const values = {
  owner: fc.integer({ min: 1, max: 2 }),
  day: fc.integer({ min: 0, max: 3 }),
  flag: fc.boolean(),
  time: fc.constantFrom(...INSTANTS, '', '0999', '2026-01-05', '2026-01-05T00:00:00Z', 'never'),
  name: fc.constantFrom('', 'a', 'B', '\u{ff5e}', '\u{1f600}'),
  word: fc.constantFrom(null, 'crm', 'cr%', 'c_m', '100'),
  size: fc.constantFrom(null, -1, 0, 2, 2 ** 40),
} as const;

const rowsArbitrary: fc.Arbitrary<readonly Row[]> = fc
  .array(fc.record(values), { maxLength: 12 })
  // Keys have the reverse order of ids, so that neither order passes for the other.
  .map((rows) => rows.map((row, id) => ({ key: `k${90 - id}`, document: { ...row, id } })));

/** One of those documents, or another one, is written again or deleted. */
const changeArbitrary = fc
  .tuple(fc.integer({ min: 0, max: 13 }), fc.option(fc.record(values)))
  .map(([id, row]) => ({ key: `k${90 - id}`, document: row === null ? null : { ...row, id } }));

const fieldArbitrary = fc.constantFrom('owner', 'day', 'flag', 'time', 'name', 'word', 'size');
const conditionArbitrary = fieldArbitrary.chain((field) => {
  const value: fc.Arbitrary<Scalar> = values[field];
  const known = value.filter((one) => one !== null);
  return fc.tuple(
    fc.constant(field),
    fc.oneof(
      value,
      fc.record({ in: fc.array(value, { maxLength: 3 }) }),
      fc.record({ ne: value }),
      fc.record({ gte: known, lt: known }, { requiredKeys: [] }),
      fc.record({ gt: known, lte: known }, { requiredKeys: [] }),
      ...(field === 'word' || field === 'name'
        ? [fc.record({ contains: fc.constantFrom('', 'c', '%', '_') })]
        : []),
    ),
  );
});
const whereArbitrary = fc
  .array(conditionArbitrary, { maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs));
const filterArbitrary: fc.Arbitrary<Filter> = fc.record(
  {
    where: whereArbitrary,
    anyOf: fc.array(fc.record({ where: whereArbitrary }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const directionArbitrary = fc.constantFrom('asc' as const, 'desc' as const);
const queryArbitrary: fc.Arbitrary<Query> = fc
  .tuple(
    filterArbitrary,
    fc.record(
      {
        sort: fc.uniqueArray(fc.tuple(fieldArbitrary, directionArbitrary), {
          maxLength: 3,
          selector: ([field]) => field,
        }),
        skip: fc.integer({ min: 0, max: 3 }),
        limit: fc.integer({ min: 0, max: 9 }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([filter, window]) => ({ ...filter, ...window }));
const pagingArbitrary: fc.Arbitrary<Filter & { readonly sort: Sort }> = fc
  .tuple(
    filterArbitrary,
    fc.uniqueArray(fc.constantFrom('owner', 'day', 'flag', 'time', 'name'), { maxLength: 3 }),
    fc.array(directionArbitrary, { minLength: 4, maxLength: 4 }),
  )
  .map(([filter, fields, directions]) => ({
    ...filter,
    sort: [...fields, 'id'].map((field, place) => [field, directions[place] ?? 'asc'] as const),
  }));

const amongArbitrary = (field: 'owner' | 'flag' | 'size' | 'time'): fc.Arbitrary<Filter['where']> =>
  fc
    .array<Scalar>(values[field], { minLength: 1, maxLength: 4 })
    .map((among) => ({ [field]: { in: among } }));
const ownersAndSizesArbitrary = fc
  .tuple(amongArbitrary('owner'), amongArbitrary('size'))
  .map(([owners, sizes]) => ({ ...owners, ...sizes }));
/** Filters with a known set of values: several for one field, and two alternatives. */
const severalArbitrary: fc.Arbitrary<Filter> = fc.oneof(
  fc
    .oneof(amongArbitrary('owner'), amongArbitrary('flag'), amongArbitrary('time'), ownersAndSizesArbitrary)
    .map((where = {}) => ({ where })),
  fc
    .tuple(amongArbitrary('flag'), ownersAndSizesArbitrary)
    .map(([flags = {}, others]) => ({ anyOf: [{ where: flags }, { where: others }] })),
);
