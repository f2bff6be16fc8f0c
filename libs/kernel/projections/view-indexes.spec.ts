import type { Query, ViewShape } from '../ports/read-store.port.js';
import { indexesOfView, indexLists, sortingIndex } from './view-indexes.js';

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

  it('are not chosen where they leave out what is asked for', () => {
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
});
