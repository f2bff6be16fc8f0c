import { setImmediate as turn } from 'node:timers/promises';
import { projection } from '#kernel/projections/projection.js';
import { foldAll } from '#kernel/testing/project.js';
import { inbox } from './inbox.js';
import { sliceSize } from './project-batch.js';
import { projectionRegistry, typesOf } from './registry.js';
import { requireStorable } from './storable.js';

type Happenings = { readonly Began: { readonly at: string }; readonly Ended: { readonly at: string } };
type Span = { readonly from: string; readonly to: string | null };

const spans = (name: string) =>
  projection<Span, Happenings>()({
    name,
    version: 1,
    indexes: { byEnd: ['to'] },
    key: (event) => event.stream,
    on: {
      Began: (_, { data }) => ({ from: data.at, to: null }),
      Ended: (span, { data }) => (span === null ? null : { ...span, to: data.at }),
    },
  });
const ends = projection<{ readonly count: number }, Happenings>()({
  name: 'ends',
  version: 1,
  indexes: {},
  key: () => 'all',
  on: { Ended: (ended) => ({ count: (ended?.count ?? 0) + 1 }) },
});

describe('the registry', () => {
  it('finds the projections that handle a type', () => {
    const registry = projectionRegistry({ name: 'one', projections: [spans('spans'), ends] });
    const handling = (...types: string[]) => registry.handling(types).map(({ name }) => name);
    expect(handling('Began')).toEqual(['spans']);
    expect(handling('Ended')).toEqual(['spans', 'ends']);
    expect(handling('Other')).toEqual([]);
    expect(typesOf(registry.projections)).toEqual(['Began', 'Ended']);
  });

  it('refuses two projections of one name', () => {
    expect(() => projectionRegistry({ name: 'one', projections: [ends, ends] })).toThrow(/two projections/);
  });

  it('names what it does not know', () => {
    expect(() => projectionRegistry({ name: 'one', projections: [] }).named('x')).toThrow(
      'there is no projection called x',
    );
  });
});

describe('the size of a slice', () => {
  it('shrinks to its floor when slices take too long, and grows to its bound when full ones are quick', () => {
    const size = sliceSize({ sliceMs: 10, maxSliceEvents: 500 });
    for (let slice = 0; slice < 10; slice += 1) size.took({ busyMs: 50, ms: 50 }, size.next());
    expect(size.next()).toBe(16);
    for (let slice = 0; slice < 10; slice += 1) size.took({ busyMs: 1, ms: 1 }, size.next());
    expect(size.next()).toBe(500);
    size.took({ busyMs: 7, ms: 7 }, 500);
    expect(size.next()).toBe(500);
  });

  it('also shrinks if the store was slow while the loop was not blocked', () => {
    const size = sliceSize({ sliceMs: 10, maxSliceEvents: 500 });
    size.took({ busyMs: 1, ms: 900 }, 64);
    expect(size.next()).toBe(32);
    size.took({ busyMs: 1, ms: 400 }, 32);
    expect(size.next()).toBe(32);
  });

  it('does not grow on slices that were not full', () => {
    const size = sliceSize({ sliceMs: 10, maxSliceEvents: 500 });
    size.took({ busyMs: 0, ms: 0 }, 1);
    expect(size.next()).toBe(64);
  });
});

describe('the inbox of a loop', () => {
  it('runs what is posted in order, and answers each', async () => {
    const box = inbox();
    const first = box.post(async () => 'one');
    const second = box.post(async () => 'two');
    await box.arrival();
    await box.runAll();
    expect([await first, await second]).toEqual(['one', 'two']);
  });

  it('ends the loop with the error of a task, and refuses what comes later', async () => {
    const box = inbox();
    const failing = box.post(() => Promise.reject(new Error('half written')));
    const waiting = box.post(async () => 'never');
    const outcomes = Promise.allSettled([failing, waiting]);
    await expect(box.runAll()).rejects.toThrow('half written');
    box.close(new Error('stopped'));
    const reasons = (await outcomes).map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.message : '',
    );
    expect(reasons).toEqual(['half written', 'stopped']);
    await expect(box.post(async () => 'late')).rejects.toThrow('stopped');
  });

  it('waits until something arrives, and misses no arrival', async () => {
    const box = inbox();
    box.wake();
    await box.arrival();
    let woken = false;
    const arrival = box.arrival().then(() => (woken = true));
    await turn();
    expect(woken).toBe(false);
    box.wake();
    await arrival;
    expect(woken).toBe(true);
  });
});

describe('what a fold may give', () => {
  const view = spans('spans');
  it('is JSON with scalars in indexed fields', () => {
    expect(() => requireStorable(view, null, null)).not.toThrow();
    expect(() =>
      requireStorable(view, { from: 'a', to: null, more: [{ deep: [1, true] }], none: undefined }, null),
    ).not.toThrow();
    expect(() => requireStorable(view, { to: ['a'] }, null)).toThrow(
      'to of spans is indexed but holds no scalar',
    );
    for (const bad of [1n, Number.NaN, undefined, () => 1, Symbol('x')]) {
      expect(() =>
        requireStorable(view, { from: [bad === undefined ? Number.POSITIVE_INFINITY : bad] }, null),
      ).toThrow(/not JSON/);
    }
  });

  it('is looked at where it differs from the document before', () => {
    const before = { from: 'a', to: 'b', more: [1], kept: { a: [1] } };
    expect(() => requireStorable(view, { ...before, from: 'c', more: [2] }, before)).not.toThrow();
    for (const bad of [1n, Number.NaN, () => 1]) {
      expect(() => requireStorable(view, { ...before, more: [bad] }, before)).toThrow(/not JSON/);
      expect(() => requireStorable(view, { ...before, added: bad }, before)).toThrow(/not JSON/);
      expect(() => requireStorable(view, [bad], before)).toThrow(/not JSON/);
    }
    expect(() => requireStorable(view, { ...before, to: ['b'] }, before)).toThrow('holds no scalar');
  });
});

describe('foldAll', () => {
  it('gives the documents that are left', () => {
    const events = [
      { type: 'Began', data: { at: '1' }, stream: 'a' },
      { type: 'Ended', data: { at: '2' }, stream: 'b' },
      { type: 'Ended', data: { at: '3' }, stream: 'a' },
      { type: 'Unknown', data: {} },
    ];
    expect(foldAll(spans('spans'), events)).toEqual(new Map([['a', { from: '1', to: '3' }]]));
    expect(foldAll(ends, events)).toEqual(new Map([['all', { count: 2 }]]));
  });

  it('fails on a fold that changes its input or depends on anything but it', () => {
    const changing = {
      ...ends,
      on: { Ended: (ended: never) => Object.assign(ended ?? { count: 0 }, { count: 1 }) },
    };
    const guessing = { ...ends, on: { Ended: () => ({ count: Math.random() }) } };
    const twice = [
      { type: 'Ended', data: { at: '1' } },
      { type: 'Ended', data: { at: '2' } },
    ];
    expect(() => foldAll(changing, twice)).toThrow(/read only/);
    expect(() => foldAll(guessing, twice)).toThrow(/two answers/);
  });
});
