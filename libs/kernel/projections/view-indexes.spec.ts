import type { Filter, Query, ViewShape } from '../ports/read-store.port.js';
import { indexesOfView, indexLists, rangesInOrder, sortingIndex } from './view-indexes.js';

const view: ViewShape = {
  name: 'charges',
  version: 1,
  indexes: {
    newest: ['owner', 'day', 'id'],
    ofSetup: ['owner', 'setup', 'day', 'id'],
    due: ['dueAt', 'id'],
  },
  onlyWith: { ofSetup: 'setup', due: 'dueAt' },
};
const chosen = (where: Query['where'], ...sort: readonly string[]): string | undefined =>
  sortingIndex(indexesOfView(view), {
    ...(where === undefined ? {} : { where }),
    sort: sort.map((field) => [field, 'asc'] as const),
  })?.name;

describe('the indexes of a view', () => {
  it('are kept with the form of the documents, on which stored databases depend', () => {
    const formed: ViewShape = { ...view, indexes: { due: ['dueAt', 'id'] }, onlyWith: {}, compact: true };
    expect(indexLists(formed)).toBe('{"due":["dueAt","id"],"*":"compact"}');
    expect(indexLists({ ...formed, instants: ['dueAt'] })).toBe(
      '{"due":["dueAt","id"],"*":"compact","*instants":["dueAt"]}',
    );
  });

  it('are refused if a field of instants is in none of them', () => {
    expect(() => indexesOfView({ ...view, instants: ['day', 'paidAt'] })).toThrow(
      'charges has no index with the field "paidAt"',
    );
  });

  it('are kept as plain lists where they hold every document, as they always were', () => {
    const { onlyWith: _none, ...plain } = view;
    expect(indexLists(plain)).toBe(JSON.stringify(view.indexes));
    expect(JSON.parse(indexLists(view))).toEqual({
      newest: ['owner', 'day', 'id'],
      ofSetup: { fields: ['owner', 'setup', 'day', 'id'], onlyWith: 'setup' },
      due: { fields: ['dueAt', 'id'], onlyWith: 'dueAt' },
    });
  });

  it('are only without documents for a field of their own', () => {
    expect(() => indexesOfView({ ...view, onlyWith: { newest: 'setup' } })).toThrow(
      'charges has no index "newest" with the field "setup"',
    );
    expect(() => indexesOfView({ ...view, onlyWith: { oldest: 'day' } })).toThrow('no index "oldest"');
  });

  it('give a sorted answer: equality fields first, then the sort, the longest of several', () => {
    expect(chosen({ owner: 7 }, 'day', 'id')).toBe('newest');
    expect(chosen({ owner: 7, setup: 5 }, 'day', 'id')).toBe('ofSetup');
    expect(chosen({ owner: { in: [7] }, setup: { in: [5] } }, 'day', 'id')).toBe('ofSetup');
    expect(chosen({ owner: { gt: 7 } }, 'day', 'id')).toBeUndefined();
    expect(chosen({ owner: 7, setup: 5 })).toBeUndefined();
  });

  it('are not used if they leave out documents that the query may match', () => {
    expect(chosen({ owner: 7, setup: null }, 'day', 'id')).toBe('newest');
    expect(chosen({ owner: 7, setup: { in: [null] } }, 'day', 'id')).toBe('newest');
    expect(chosen(undefined, 'dueAt', 'id')).toBeUndefined();
    for (const dueAt of [{ ne: '2025' }, { ne: null }, { in: [] }, { in: ['2025', null] }, {}]) {
      expect([dueAt, chosen({ dueAt }, 'dueAt', 'id')]).toEqual([dueAt, undefined]);
    }
    for (const dueAt of [{ lte: '2025' }, { gt: '' }, { in: ['2025', '2026'] }, { ne: '2025', lt: '2026' }]) {
      expect([dueAt, chosen({ dueAt }, 'dueAt', 'id')]).toEqual([dueAt, 'due']);
    }
  });

  const latestFirst = [
    ['day', 'desc'],
    ['id', 'desc'],
  ] as const;
  const ranges = (query: Query): readonly string[] =>
    rangesInOrder(indexesOfView(view), { sort: latestFirst, ...query }).map(
      ({ index, filter }) => `${index.name} ${JSON.stringify(filter)}`,
    );

  it('give a range for each value that a field may have, and for each combination', () => {
    expect(ranges({ where: { owner: 7, setup: { in: [5, 6, 5] } } })).toEqual([
      'ofSetup {"where":{"owner":7,"setup":5}}',
      'ofSetup {"where":{"owner":7,"setup":6}}',
    ]);
    expect(ranges({ where: { owner: { in: [7, null] } }, anyOf: [{ where: { id: 1 } }] })).toEqual([
      'newest {"where":{"owner":7},"anyOf":[{"where":{"id":1}}]}',
      'newest {"where":{"owner":null},"anyOf":[{"where":{"id":1}}]}',
    ]);
    expect(ranges({ where: { owner: { in: [7, 8] }, setup: { in: [5, 6] } } })).toHaveLength(4);
  });

  it('give no ranges where one gives the answer, or where nothing is said of all values', () => {
    for (const setup of [5, null, { in: [5] }, { in: [] }, { gt: 5 }, { in: [5, null] }]) {
      expect([setup, ranges({ where: { owner: 7, setup } })]).toEqual([setup, []]);
    }
    expect(ranges({ where: { owner: 7, setup: { in: [5, 6], lt: 6 } } })).toEqual([]);
    expect(ranges({ where: { owner: 7, setup: { in: [5, 6] } }, sort: [] })).toEqual([]);
    const mixed = [['day', 'asc'] as const, ['id', 'desc'] as const];
    expect(ranges({ where: { owner: 7, setup: { in: [5, 6] } }, sort: mixed })).toEqual([]);
  });

  it('give no more ranges than are begun in no time', () => {
    const setups = (count: number) => Array.from({ length: count }, (_, setup) => setup);
    const among = (count: number) => ranges({ where: { owner: 7, setup: { in: setups(count) } } });
    expect([among(128).length, among(129).length]).toEqual([128, 0]);
  });

  it('give ranges of alternatives where each has an index of its own, and no other time', () => {
    const ofSetup = { where: { setup: { in: [5, 6] } } };
    expect(ranges({ where: { owner: 7 }, anyOf: [ofSetup, { where: { setup: 9 } }] })).toEqual([
      'ofSetup {"where":{"owner":7,"setup":5}}',
      'ofSetup {"where":{"owner":7,"setup":6}}',
      'ofSetup {"where":{"owner":7,"setup":9}}',
    ]);
    expect(ranges({ where: { owner: 7 }, anyOf: [ofSetup, { where: { dueAt: '2025' } }] })).toEqual([]);
    expect(ranges({ where: { owner: 7 }, anyOf: [ofSetup, { where: { owner: 8, setup: 9 } }] })).toEqual([]);
    expect(ranges({ where: { owner: 7 }, anyOf: [] })).toEqual([]);
  });

  it('give ranges of alternatives before those of an index as long that is declared after theirs', () => {
    const either: readonly Filter[] = [{ where: { first: 1 } }, { where: { second: { in: [2, 3] } } }];
    const named = (where: Filter['where'] = {}, anyOf: readonly Filter[] = either) =>
      rangesInOrder(
        indexesOfView({
          name: 'ranked',
          version: 1,
          indexes: {
            before: ['before', 'day', 'id'],
            first: ['first', 'day', 'id'],
            second: ['second', 'day', 'id'],
            after: ['after', 'day', 'id'],
          },
        }),
        { where, anyOf, sort: latestFirst },
      ).map(({ index }) => index.name);
    expect(named({ after: 4 })).toEqual(['first', 'second', 'second']);
    expect(named({ after: { in: [4, 5] } })).toEqual(['first', 'second', 'second']);
    expect(named({ before: 4 })).toEqual([]);
    expect(named({ before: { in: [4, 5] } })).toEqual(['before', 'before']);
    // Together they would be too many.
    const tooMany = { in: Array.from({ length: 128 }, (_, value) => value) };
    const among = [{ where: { first: 1 } }, { where: { second: tooMany } }] as readonly Filter[];
    expect(named({ after: { in: [4, 5] } }, among)).toEqual(['after', 'after']);
  });
});
