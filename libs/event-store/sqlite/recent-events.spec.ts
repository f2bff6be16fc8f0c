import type { StoredRow } from './stored-row.js';
import { recentEvents } from './recent-events.js';

describe('the last committed events of a connection', () => {
  const row = (position: number, data = '{}'): StoredRow => [position, 's', position, 1, 'id', data, '{}'];
  const rows = (from: number, to: number): readonly StoredRow[] =>
    Array.from({ length: to - from + 1 }, (_, index) => row(from + index));
  const positions = (found: readonly StoredRow[] | null): readonly number[] | null =>
    found?.map(([position]) => position) ?? null;

  it('are returned from the position after the given one, up to a limit', () => {
    const recent = recentEvents();
    expect(recent.after(0, 10)).toBe(null);
    recent.keep(rows(5, 6));
    recent.keep(rows(7, 9));
    expect(positions(recent.after(4, 10))).toEqual([5, 6, 7, 8, 9]);
    expect(positions(recent.after(6, 2))).toEqual([7, 8]);
    expect(recent.after(3, 10)).toBe(null);
    expect(recent.after(9, 10)).toBe(null);
    expect(recent.after(20, 10)).toBe(null);
  });

  it('start again after a position that another writer has taken, and after they were cleared', () => {
    const recent = recentEvents();
    recent.keep(rows(1, 2));
    recent.keep(rows(4, 5));
    expect(recent.after(0, 10)).toBe(null);
    expect(recent.after(2, 10)).toBe(null);
    expect(positions(recent.after(3, 10))).toEqual([4, 5]);
    recent.forget();
    expect(recent.after(3, 10)).toBe(null);
    recent.keep(rows(6, 6));
    expect(positions(recent.after(5, 10))).toEqual([6]);
  });

  it('are limited in number and size: the oldest are removed first', () => {
    const recent = recentEvents();
    recent.keep(rows(1, 1_000));
    expect(recent.after(0, 1)).toHaveLength(1);
    recent.keep(rows(1_001, 1_001));
    expect(recent.after(0, 1)).toBe(null);
    expect(positions(recent.after(1_000, 10))).toEqual([1_001]);
    recent.forget();
    const large = JSON.stringify('x'.repeat(400_000));
    for (const position of [1, 2, 3]) recent.keep([row(position, large)]);
    expect(recent.after(0, 1)).toBe(null);
    expect(positions(recent.after(2, 10))).toEqual([3]);
  });
});
