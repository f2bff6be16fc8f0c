import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { Filter, Query, Scalar, Sort, ViewShape } from '#kernel/ports/read-store.port.js';
import {
  placePerCase,
  publish,
  runs,
  type MakeReadStorePlace,
  type RunDocument,
} from './read-store-fixture.js';

const DAY = '2025-01-0';
const documents: readonly RunDocument[] = [
  {
    id: 1,
    workspaceId: 7,
    state: 'completed',
    startedAt: `${DAY}1`,
    title: '50% off_now',
    trial: true,
    score: 1.5,
  },
  {
    id: 2,
    workspaceId: 7,
    state: 'running',
    startedAt: `${DAY}2`,
    title: '50 percent',
    trial: false,
    score: -2,
  },
  { id: 3, workspaceId: 7, state: null, startedAt: `${DAY}2`, title: 'offxnow', score: null },
  { id: 4, workspaceId: 7, state: 'failed', startedAt: `${DAY}3`, trial: true, details: { deep: [1, null] } },
  {
    id: 5,
    workspaceId: 8,
    state: 'completed',
    startedAt: `${DAY}1`,
    title: 'o\'neil "x"',
    trial: false,
    score: 10,
  },
];
const live = { view: runs, generation: 1 };

export function readStoreQueryCases(makePlace: MakeReadStorePlace): void {
  describe('queries', () => {
    const { store } = placePerCase(makePlace);
    beforeEach(async () => {
      await publish(
        store,
        live,
        documents.map((document) => ({ key: `run-${document.id}`, document })),
      );
    });

    const found = async (query: Query): Promise<readonly number[]> =>
      (await store.find(runs, query)).map(({ id }) => id);

    it('gets one document by key, and null if there is none', async () => {
      expect(await store.get(runs, 'run-4')).toEqual(documents[3]);
      expect(await store.get(runs, 'run-9')).toBeNull();
    });

    it('gets many documents by key and leaves out missing ones', async () => {
      const many = await store.getMany(runs, ['run-5', 'run-9', 'run-1', 'run-1']);
      expect([...many.keys()].sort()).toEqual(['run-1', 'run-5']);
      expect(many.get('run-5')).toEqual(documents[4]);
      expect(await store.getMany(runs, [])).toEqual(new Map());
    });

    it('finds everything in key order without a filter', async () => {
      expect(await found({})).toEqual([1, 2, 3, 4, 5]);
    });

    const filters: readonly (readonly [string, Filter, readonly number[]])[] = [
      ['equality', { where: { workspaceId: 8 } }, [5]],
      ['several fields, all of which hold', { where: { workspaceId: 7, state: 'completed' } }, [1]],
      ['null as a value of its own, a missing field included', { where: { title: null } }, [4]],
      ['true', { where: { trial: true } }, [1, 4]],
      ['false, which is not null', { where: { trial: false } }, [2, 5]],
      ['in', { where: { state: { in: ['running', 'failed'] } } }, [2, 4]],
      ['in with one value', { where: { state: { in: ['running'] } } }, [2]],
      ['in with null among the values', { where: { state: { in: ['running', null] } } }, [2, 3]],
      ['in with booleans', { where: { trial: { in: [true, null] } } }, [1, 3, 4]],
      ['in with no value, which holds for nothing', { where: { state: { in: [] } } }, []],
      ['gt, for which null is not above', { where: { score: { gt: -2 } } }, [1, 5]],
      ['gte', { where: { score: { gte: -2 } } }, [1, 2, 5]],
      ['lt, for which null is not below', { where: { score: { lt: 1.5 } } }, [2]],
      ['lte', { where: { score: { lte: 1.5 } } }, [1, 2]],
      ['a range of both ends', { where: { startedAt: { gte: `${DAY}2`, lt: `${DAY}3` } } }, [2, 3]],
      ['ne, from which null differs', { where: { state: { ne: 'completed' } } }, [2, 3, 4]],
      ['ne null', { where: { state: { ne: null } } }, [1, 2, 4, 5]],
      ['contains', { where: { title: { contains: '50' } } }, [1, 2]],
      ['contains with % taken literally', { where: { title: { contains: '0%' } } }, [1]],
      ['contains with _ taken literally', { where: { title: { contains: 'off_n' } } }, [1]],
      ['contains with quotes', { where: { title: { contains: `o'neil "` } } }, [5]],
      [
        'contains, which leaves the folding of case to the caller',
        { where: { title: { contains: 'OFF' } } },
        [],
      ],
      [
        'an operator without operand as no condition',
        { where: { score: { gt: undefined } } },
        [1, 2, 3, 4, 5],
      ],
      ['anyOf', { anyOf: [{ where: { state: 'failed' } }, { where: { score: 10 } }] }, [4, 5]],
      [
        'anyOf beside where and within anyOf',
        {
          where: { workspaceId: 7 },
          anyOf: [
            { where: { id: 5 } },
            { where: { trial: true }, anyOf: [{ where: { id: 1 } }, { where: { id: 2 } }] },
          ],
        },
        [1],
      ],
      ['anyOf without alternatives, of which none holds', { anyOf: [] }, []],
    ];
    for (const [what, filter, ids] of filters) {
      it(`filters by ${what}, and counts the same`, async () => {
        expect(await found(filter)).toEqual(ids);
        expect(await store.count(runs, filter)).toBe(ids.length);
      });
    }

    it('sorts null first, and last when backwards', async () => {
      expect(await found({ sort: [['score', 'asc']], where: { workspaceId: 7 } })).toEqual([3, 4, 2, 1]);
      expect(await found({ sort: [['score', 'desc']], where: { workspaceId: 7 } })).toEqual([1, 2, 4, 3]);
    });

    it('returns equal rows in key order, backwards after a backwards sort', async () => {
      expect(await found({ where: { startedAt: `${DAY}2` }, sort: [['startedAt', 'asc']] })).toEqual([2, 3]);
      expect(await found({ where: { startedAt: `${DAY}2` }, sort: [['startedAt', 'desc']] })).toEqual([3, 2]);
    });

    it('skips and limits after sorting', async () => {
      const sort: Sort = [['id', 'desc']];
      expect(await found({ sort, skip: 1, limit: 2 })).toEqual([4, 3]);
      expect(await found({ sort, skip: 4 })).toEqual([1]);
      expect(await found({ sort, skip: 9, limit: 2 })).toEqual([]);
      expect(await found({ sort, limit: 0 })).toEqual([]);
    });

    it('skips from a bound on, and after a row', async () => {
      const upwards: Sort = [['id', 'asc']];
      expect(await found({ sort: upwards, where: { id: { gte: 2 } }, skip: 1, limit: 2 })).toEqual([3, 4]);
      expect(await found({ sort: upwards, after: [2], skip: 1, limit: 2 })).toEqual([4, 5]);
      const newestFirst: Sort = [
        ['startedAt', 'desc'],
        ['id', 'desc'],
      ];
      const behind = { sort: newestFirst, where: { workspaceId: 7 }, after: [`${DAY}3`, 4] };
      expect(await found({ ...behind, skip: 1 })).toEqual([2, 1]);
      expect(await found({ ...behind, skip: 3 })).toEqual([]);
    });

    it('finds rows with one of several values, or one of two alternatives, once and in order', async () => {
      const newestFirst: Sort = [
        ['startedAt', 'desc'],
        ['id', 'desc'],
      ];
      const oldestFirst: Sort = [
        ['startedAt', 'asc'],
        ['id', 'asc'],
      ];
      const several = { workspaceId: 7, state: { in: ['a', 'completed', 'b', 'running', 'failed'] } };
      expect(await found({ where: several, sort: newestFirst })).toEqual([4, 2, 1]);
      expect(await found({ where: several, sort: oldestFirst })).toEqual([1, 2, 4]);
      expect(await found({ where: several, sort: newestFirst, skip: 1, limit: 1 })).toEqual([2]);
      expect(await found({ where: several, sort: newestFirst, after: [`${DAY}3`, 4], limit: 5 })).toEqual([
        2, 1,
      ]);
      expect(await found({ where: several, sort: newestFirst, limit: 0 })).toEqual([]);
      const either = {
        where: { workspaceId: 7 },
        anyOf: [{ where: { state: 'completed' } }, { where: { state: { in: ['failed', 'completed'] } } }],
      };
      expect(await found({ ...either, sort: newestFirst })).toEqual([4, 1]);
      expect(await found({ ...either, sort: oldestFirst, skip: 1 })).toEqual([4]);
    });

    it('counts groups by value, including null, in the order of the values', async () => {
      expect(await store.groups(runs, {}, { by: ['state'] })).toEqual([
        { by: [null], count: 1, sum: 0n },
        { by: ['completed'], count: 2, sum: 0n },
        { by: ['failed'], count: 1, sum: 0n },
        { by: ['running'], count: 1, sum: 0n },
      ]);
      expect(await store.groups(runs, {}, { by: ['workspaceId', 'startedAt'], limit: 2 })).toEqual([
        { by: [7, `${DAY}1`], count: 1, sum: 0n },
        { by: [7, `${DAY}2`], count: 2, sum: 0n },
      ]);
    });

    it('adds up credits exactly, beyond the range of a float', async () => {
      const amounts = ['9007199254740993', '9007199254740993', '-1', '1000000000000000', null];
      await publish(
        store,
        { view: { ...runs, name: 'charges' }, generation: 1 },
        amounts.map((credits, id) => ({ key: `${id}`, document: { id, workspaceId: 7, credits } })),
      );
      const charges = { ...runs, name: 'charges' };
      expect(await store.groups(charges, {}, { by: [], sum: 'credits' })).toEqual([
        { by: [], count: 5, sum: 19014398509481985n },
      ]);
      expect(await store.groups(charges, {}, { by: ['workspaceId'], sum: 'id' })).toEqual([
        { by: [7], count: 5, sum: 10n },
      ]);
      expect(await store.groups(charges, { where: { id: 77 } }, { by: [], sum: 'credits' })).toEqual([
        { by: [], count: 0, sum: 0n },
      ]);
    });

    const timed = async (): Promise<ViewShape> => {
      const view = { ...runs, name: 'timed', instants: ['startedAt'] };
      await publish(store, { view, generation: 1 }, []);
      return view;
    };
    const mistakes: readonly (readonly [string, () => Promise<unknown>, RegExp])[] = [
      [
        'a filter on a field without index',
        () => store.find(runs, { where: { details: 1 } }),
        /runs.*details/,
      ],
      ['a count on a field without index', () => store.count(runs, { where: { nope: 1 } }), /runs.*nope/],
      [
        'a sort on a field without index',
        () => store.find(runs, { sort: [['details', 'asc']] }),
        /runs.*details/,
      ],
      [
        'a group by a field without index',
        () => store.groups(runs, {}, { by: ['details'] }),
        /runs.*details/,
      ],
      [
        'a nested field without index',
        () => store.count(runs, { anyOf: [{ where: { nope: 1 } }] }),
        /runs.*nope/,
      ],
      [
        'a group by a field of instants',
        async () => store.groups(await timed(), {}, { by: ['startedAt'] }),
        /startedAt of timed holds instants/,
      ],
      [
        'a search in a field of instants',
        async () => store.find(await timed(), { where: { startedAt: { contains: '2026' } } }),
        /startedAt of timed holds instants/,
      ],
      [
        'an undefined value, which would show the documents of others',
        () => store.find(runs, { where: { workspaceId: undefined as unknown as Scalar } }),
        /workspaceId of runs is undefined/,
      ],
      [
        'an unknown operator',
        () => store.find(runs, { where: { id: { like: 'x' } as unknown as Scalar } }),
        /like.*id of runs/,
      ],
      [
        'a page behind null',
        () => store.find(runs, { sort: [['id', 'asc']], after: [null as unknown as number] }),
        /page of runs/,
      ],
      [
        'a page behind too few values',
        () => store.find(runs, { sort: [['id', 'asc']], after: [] }),
        /page of runs/,
      ],
      ['a limit that is no count', () => store.find(runs, { limit: Number.NaN }), /limit/],
    ];
    for (const [what, ask, message] of mistakes) {
      it(`refuses ${what}, as an internal error`, async () => {
        const error: unknown = await ask().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(Error);
        expect(error).not.toBeInstanceOf(StoreUnavailable);
        expect(error).toHaveProperty('message', expect.stringMatching(message));
      });
    }
  });
}
