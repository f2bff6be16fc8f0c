import { StoreUnavailable, type Position } from '#kernel/ports/event-store.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { chargeIndex } from '#ledger/charging/charge-index.js';
import { askCorrections, askGrant } from '#ledger/domain/ledger-memory.js';
import type { ViewStanding } from '#projection-engine/view-standing.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { creditPostings } from '#projections/ledger/credit-postings/credit-postings.projection.js';
import { matches } from '#test/contract/naive-query.js';

const at = (position: Position, more: Partial<ViewStanding> = {}): ViewStanding => ({
  position,
  isParked: false,
  parkedAt: null,
  isHalted: false,
  ...more,
});
const posting = (id: number, kind: string, credits: string, more: JsonObject = {}): JsonObject => ({
  id,
  kind,
  credits,
  workspaceId: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  reason: 'r',
  key: null,
  corrects: null,
  revision: id,
  ...more,
});

describe('the index of old charge keys', () => {
  const questions = [askGrant('welcome')];
  const upTo = '0000000000000005';
  const before = '0000000000000004';
  const after = '0000000000000006';

  /** An index over these postings; both views stand at the next of these standings each time that they are asked. */
  function indexOf(
    standings: readonly (readonly [movements: ViewStanding | null, postings: ViewStanding | null])[],
    rows: readonly JsonObject[] = [],
    failure: Error | null = null,
  ) {
    const asked: string[] = [];
    const left = { [creditMovements.name]: 0, [creditPostings.name]: 0 };
    const unasked = () => Promise.reject(new Error('the charge index does not ask this'));
    const readModels: ReadModels = {
      find: async (view, query) =>
        (view.name === creditPostings.name ? rows : [])
          .map((row) => JSON.parse(JSON.stringify(row)))
          .filter((row) => matches(row, query)),
      getMany: async () => new Map(),
      get: unasked,
      count: unasked,
      groups: unasked,
    };
    const recall = chargeIndex(readModels, {
      standing: async (view) => {
        if (failure !== null) throw failure;
        const round = left[view] ?? 0;
        left[view] = round + 1;
        const [movements = null, postings = null] = standings[Math.min(round, standings.length - 1)] ?? [];
        return view === creditMovements.name ? movements : postings;
      },
      reached: async ({ position }) => {
        asked.push(position);
        return standings.length > 1;
      },
    });
    return { recall: (about = questions) => recall('credits-1', about, upTo), asked };
  }

  it('answers as of the read model that is behind the other', async () => {
    for (const standing of [
      [at(after), at(upTo)],
      [at(upTo), at(after)],
    ] as const) {
      const { recall, asked } = indexOf([standing]);
      expect(await recall()).toEqual({ position: upTo, asked: questions, found: new Map() });
      expect(asked).toEqual([]);
    }
  });

  it('waits once for a read model that is behind, and answers as of its new position', async () => {
    for (const late of [at(before), null]) {
      const { recall, asked } = indexOf([
        [at(after), late],
        [at(after), at(upTo)],
      ]);
      expect(await recall()).toMatchObject({ position: upTo });
      expect(asked).toEqual([upTo]);
    }
  });

  it('answers nothing while a read model stays behind or is not known', async () => {
    for (const standing of [
      [at(before), at(after)],
      [at(after), at(before)],
      [null, at(after)],
    ] as const) {
      expect(await indexOf([standing]).recall()).toBeNull();
      expect(await indexOf([standing, standing]).recall()).toBeNull();
    }
  });

  it('refuses with 503 while a read model is parked or halted, because a missing key proves nothing then', async () => {
    for (const [stopped, movements, postings] of [
      ['credit-movements is parked', at(after, { isParked: true }), at(after)],
      ['credit-postings is parked', at(after), at(after, { isParked: true })],
      ['credit-movements is halted', at(after, { isHalted: true }), at(after)],
      ['credit-postings is halted', at(after), at(after, { isHalted: true })],
    ] as const) {
      const refusal = await indexOf([[movements, postings]])
        .recall()
        .catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      expect(refusal).toMatchObject({ message: expect.stringContaining(stopped) });
    }
  });

  it('answers nothing while the read store is unavailable, and hides no other error', async () => {
    const failing = (failure: Error) => indexOf([], [], failure).recall();
    expect(await failing(new StoreUnavailable('away'))).toBeNull();
    await expect(failing(new Error('a mistake'))).rejects.toThrow('a mistake');
  });

  it('LED-10 adds the adjustments of a movement of the workspace, and not the reversal of an opening', async () => {
    const { recall } = indexOf(
      [[at(upTo), at(upTo)]],
      [
        posting(3, 'adjustment', '2000000', { corrects: 2 }),
        posting(4, 'adjustment', '-500000', { corrects: 2 }),
        posting(5, 'reversal', '-9000000', { corrects: 2 }),
        posting(6, 'adjustment', '4000000', { corrects: 2, workspaceId: 7 }),
        posting(7, 'adjustment', '4000000', { corrects: 1 }),
      ],
    );
    const found = (await recall([askCorrections(2)]))?.found;
    expect(found).toEqual(
      new Map([[askCorrections(2), { kind: 'corrections', movementId: 2, credits: '1500000', upTo: 4 }]]),
    );
  });

  it('P6 finds what was taken as an amount without a sign, under the key of its request', async () => {
    const wanted = [askGrant('welcome'), askGrant('back'), askGrant('undone')];
    const { recall } = indexOf(
      [[at(upTo), at(upTo)]],
      [
        posting(3, 'grant', '2000000', { key: 'welcome' }),
        posting(4, 'withdrawal', '-1000000', { key: 'back' }),
        posting(5, 'reversal', '-9000000', { key: 'undone' }),
        posting(6, 'adjustment', '-3000000', { key: 'welcome' }),
        posting(7, 'grant', '7000000', { key: 'welcome', workspaceId: 7 }),
      ],
    );
    const found = (await recall(wanted))?.found ?? new Map();
    expect(wanted.map((question) => found.get(question)?.['credits'])).toEqual([
      '2000000',
      '1000000',
      '9000000',
    ]);
  });

  it('finds every one of many keys', async () => {
    const keys = Array.from({ length: 401 }, (_, index) => `k${index}`);
    const rows = keys.map((key, index) => posting(index + 1, 'grant', '1000000', { key }));
    const found = (await indexOf([[at(upTo), at(upTo)]], rows).recall(keys.map(askGrant)))?.found;
    expect(found?.size).toBe(401);
  });
});
