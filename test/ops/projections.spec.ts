import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { projectionsAbandon, projectionsCancel } from '#ops/projections/projections-cancel.js';
import { projectionsParked } from '#ops/projections/projections-parked.js';
import { projectionsPrune } from '#ops/projections/projections-prune.js';
import { projectionsRebuild, projectionsRollback } from '#ops/projections/projections-rebuild.js';
import { projectionsRetry } from '#ops/projections/projections-retry.js';
import { projectionsVerify } from '#ops/projections/projections-verify.js';
import type { WorkProgress } from '#kernel/ports/work-progress.js';
import type { OperatorCommand, OperatorHost } from '#ops/support/operator-command.js';
import { testCall } from '#test/support/test-call.js';
import { runCommand } from '#ops/support/run-command.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import { putRebuildNote } from '#projection-engine/rebuild-note.js';
import { viewKey } from '#projection-engine/registry.js';
import {
  balances,
  caughtUp,
  deposited,
  deposits,
  eventually,
  openBank,
  rates,
  rateSet,
  type Bank,
  type Poison,
} from '#test/projections/engine-fixture.js';
import { openLedgerHost, type LedgerHost } from './ledger-host.js';
import { refusalOf } from '#test/support/event-stores.js';

describe('OPS-19 operations on read models', () => {
  let house: LedgerHost;
  let bank: Bank;
  let reads: ReadStore;
  let poison: Poison;
  let engine: ProjectionEngine;
  beforeEach(async () => {
    house = await openLedgerHost();
    bank = await openBank();
    reads = await bank.connectReads();
    poison = { works: true };
    engine = bank.engine(reads, [balances(poison), deposits(), rates(poison)], {
      pace: { sliceMs: 10, maxSliceEvents: 16 },
    });
    engine.start();
    for (let account = 0; account < 40; account += 1) await bank.happen(deposited(1, `a${account}`, 5));
    await caughtUp(bank, engine);
  });
  afterEach(async () => {
    await bank.close();
    await house.close();
  });

  const run = async (
    command: OperatorCommand,
    input: object,
    onProgress?: (progress: WorkProgress) => void,
    projections: ProjectionEngine = engine,
  ): Promise<unknown> => {
    const host: OperatorHost = { ...house, projections, isAlone: false };
    return runCommand(host, command, input, testCall, onProgress);
  };
  const refusedBy = async (command: OperatorCommand, input: object): Promise<unknown> => {
    const { declaration, message } = await refusalOf(run(command, input));
    return [declaration.code, message];
  };

  it('rebuilds one, with its speed and the remaining time, or all of them', async () => {
    const reports: WorkProgress[] = [];
    const one = await run(projectionsRebuild, { name: 'balances' }, (progress) => reports.push(progress));
    expect(one).toMatchObject({
      ok: true,
      rebuilt: [{ name: 'balances', outcome: 'live', generation: 2, events: 40, reason: null }],
    });
    expect(reports.at(-1)).toMatchObject({ done: 40, total: 40, note: 'balances swapping' });
    expect(await run(projectionsRebuild, {})).toMatchObject({
      ok: true,
      rebuilt: [
        { name: 'balances', outcome: 'live', generation: 3 },
        { name: 'deposits', outcome: 'live', generation: 2 },
        { name: 'rates', outcome: 'live', generation: 2 },
      ],
    });
  });

  it('rebuilds all of them together, under one bar', async () => {
    const reports: WorkProgress[] = [];
    expect(await run(projectionsRebuild, {}, (progress) => reports.push(progress))).toMatchObject({
      ok: true,
      rebuilt: [
        { name: 'balances', outcome: 'live', events: 40 },
        { name: 'deposits', outcome: 'live', events: 40 },
        { name: 'rates', outcome: 'live', events: 0 },
      ],
    });
    expect(Math.max(...reports.map(({ done }) => done))).toBe(80);
    const notes = reports.map(({ note }) => note);
    expect(notes).toContain('3 read models building');
    expect(notes.at(-1)).toBe('3 read models swapping');
  });

  it('rolls back to the generation before, and says when there is none', async () => {
    expect(await refusedBy(projectionsRollback, { name: 'balances' })).toEqual([
      'projection-not-ready',
      'there is no earlier generation of balances to go back to.',
    ]);
    await run(projectionsRebuild, { name: 'balances' });
    expect(await run(projectionsRollback, { name: 'balances' })).toMatchObject({
      ok: true,
      rebuilt: [{ outcome: 'live', generation: 1 }],
    });
    expect((await reads.generations(balances())).live).toBe(1);
    expect(await run(projectionsRollback, { name: 'balances', generation: 1 })).toMatchObject({
      ok: true,
      rebuilt: [{ outcome: 'live', generation: 1 }],
    });
    expect((await reads.generations(balances())).live).toBe(1);
  });

  it('prunes former generations; there is nothing to roll back to then', async () => {
    expect(await run(projectionsPrune, {})).toMatchObject({ pruned: [], free_bytes: 0 });
    await run(projectionsRebuild, {});
    const answer = await run(projectionsPrune, { name: 'deposits' });
    expect(answer).toMatchObject({ pruned: [{ name: 'deposits', generations: 1 }], free_bytes: 0 });
    expect(await reads.generations(deposits())).toEqual({ live: 2, all: [2] });
    expect(await reads.generations(balances())).toEqual({ live: 2, all: [1, 2] });
    expect(await refusedBy(projectionsRollback, { name: 'deposits' })).toEqual([
      'projection-not-ready',
      'there is no earlier generation of deposits to go back to.',
    ]);
    expect(await run(projectionsRebuild, { name: 'deposits' })).toMatchObject({
      rebuilt: [{ outcome: 'live', generation: 3, events: 40 }],
    });
  });

  it('prunes a read model that no version running has, unless one is named', async () => {
    const former = { name: 'former', version: 7, indexes: {} };
    await reads.createGeneration({ view: former, generation: 1 });
    expect(await run(projectionsPrune, { name: 'deposits' })).toMatchObject({ pruned: [] });
    expect(await run(projectionsPrune, {})).toMatchObject({ pruned: [{ name: 'former', generations: 1 }] });
    expect(await reads.storedViews()).not.toContain('former');
  });

  it('prunes nothing of a read model whose rebuild is under way', async () => {
    await run(projectionsRebuild, { name: 'balances' });
    await reads.createGeneration({ view: balances(), generation: 3 });
    const view = viewKey(balances());
    await putRebuildNote(reads, { view, state: 'building', kind: 'rebuild', generation: 3, previous: 2 });
    expect(await refusedBy(projectionsPrune, { name: 'balances' })).toEqual([
      'projection-not-ready',
      'A rebuild of balances is under way: finish or abandon it.',
    ]);
    expect((await reads.generations(balances())).all).toEqual([1, 2, 3]);
  });

  it('prunes the others if the rebuild of one is under way, and says which one keeps its generations', async () => {
    await run(projectionsRebuild, {});
    await reads.createGeneration({ view: balances(), generation: 3 });
    const view = viewKey(balances());
    await putRebuildNote(reads, { view, state: 'building', kind: 'rebuild', generation: 3, previous: 2 });
    expect(await run(projectionsPrune, {})).toMatchObject({
      pruned: [{ name: 'deposits' }, { name: 'rates' }],
      kept: [{ name: 'balances', reason: expect.stringContaining('finish or abandon it') }],
    });
    expect((await reads.generations(deposits())).all).toEqual([2]);
    expect(await run(projectionsAbandon, {})).toEqual({ abandoned: ['balances'] });
    expect((await reads.generations(balances())).all).not.toContain(3);
    expect(await run(projectionsPrune, {})).toMatchObject({ kept: [] });
    expect(await run(projectionsAbandon, {})).toEqual({ abandoned: [] });
  });

  it('cancels from another process; the next rebuild continues, or the built part is abandoned', async () => {
    expect(await refusedBy(projectionsCancel, { name: 'balances' })).toEqual([
      'projection-not-ready',
      'balances is neither being rebuilt nor verified.',
    ]);
    expect(await refusedBy(projectionsAbandon, { name: 'balances' })).toEqual([
      'projection-not-ready',
      'No rebuild of balances is under way.',
    ]);
    const store = await bank.connectReads();
    let isCancelled = false;
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    // The builder finds the request at its next look: until then each of its writes waits here.
    const slow: ReadStore = {
      ...store,
      write: async (writes, fence) => {
        begun();
        await eventually(() => isCancelled);
        return store.write(writes, fence);
      },
      getRecord: async <T>(kind: string, key: string): Promise<T | null> => {
        const found = await store.getRecord<T>(kind, key);
        if (kind === 'rebuild-cancel' && found !== null) isCancelled = true;
        return found;
      },
    };
    const other = bank.engine(slow, [balances(), deposits(), rates()], {
      pace: { sliceMs: 10, maxSliceEvents: 16 },
    });
    const rebuild = run(projectionsRebuild, { name: 'balances' }, undefined, other);
    await hasBegun;
    expect(await run(projectionsCancel, { name: 'balances' })).toEqual({
      name: 'balances',
      outcome: 'asked to stop',
    });
    expect(await rebuild).toMatchObject({ ok: false, rebuilt: [{ outcome: 'cancelled', generation: 2 }] });
    expect((await reads.checkpoint({ view: balances(), generation: 2 }))?.applied).toBe(16);

    expect(await run(projectionsAbandon, { name: 'balances' })).toMatchObject({ outcome: 'abandoned' });
    expect(await reads.generations(balances())).toEqual({ live: 1, all: [1] });
    expect(await run(projectionsRebuild, { name: 'balances' })).toMatchObject({ ok: true });
  });

  it('verifies, and names the first document and event that differ', async () => {
    expect(await run(projectionsVerify, {})).toMatchObject({
      ok: true,
      verified: [
        { name: 'balances', ok: true, events: 40, documents: 40, differing: 0, first_difference: null },
        { name: 'deposits', ok: true, events: 40, documents: 40 },
        { name: 'rates', ok: true, events: 0, documents: 0 },
      ],
    });
    await engine.stop();
    const lease = await reads.acquireLease('projections:bank', 'somebody', 5_000);
    const checkpoint = await reads.checkpoint({ view: balances(), generation: 1 });
    const [wrong] = await reads.scan({ view: balances(), generation: 1 }, '1/a2', 1);
    if (lease === null || checkpoint === null || wrong === undefined) throw new Error('nothing to falsify');
    const document = { account: 'a20', total: 999, trail: '', generation: 'first' };
    await reads.write(
      [
        {
          generation: { view: balances(), generation: 1 },
          documents: [{ key: wrong.key, position: `${wrong.position}0`, document }],
          checkpoint,
        },
      ],
      { lease: lease.name, epoch: lease.epoch },
    );
    const fresh = bank.engine(await bank.connectReads(), [balances(), deposits(), rates()]);
    const found = await run(projectionsVerify, { name: 'balances' }, undefined, fresh);
    expect(found).toMatchObject({
      ok: false,
      verified: [
        {
          ok: false,
          differing: 1,
          first_difference: {
            key: wrong.key,
            live: { total: 999 },
            replayed: { total: 5 },
            event: { type: 'Deposited', stream: 'bank-1' },
          },
        },
      ],
    });
  });

  it('lists parked streams with the reason, and folds them in order when retried', async () => {
    await bank.happen(deposited(2, 'b', 1, true), deposited(2, 'b', 2), rateSet(1), rateSet(2, true));
    await caughtUp(bank, engine);
    expect(await run(projectionsParked, {})).toMatchObject({
      parked: [
        {
          name: 'balances',
          workspace_id: 2,
          events: 2,
          reason: 'Error: cannot fold this',
          type: 'Deposited',
          stream: 'bank-2',
          revision: '0',
        },
      ],
      halted: [{ name: 'rates', reason: 'Error: cannot fold this', type: 'RateSet', revision: '1' }],
    });
    expect(await run(projectionsParked, { name: 'deposits' })).toEqual({ parked: [], halted: [] });
    expect(await run(projectionsRetry, { name: 'balances', workspace_id: 2 })).toMatchObject({
      ok: false,
      events: 0,
      still_parked: [{ workspace_id: 2, reason: 'Error: cannot fold this' }],
    });
    poison.works = false;
    expect(await run(projectionsRetry, { name: 'balances' })).toEqual({
      ok: true,
      name: 'balances',
      events: 2,
      still_parked: [],
      halted: null,
    });
    expect(await reads.get(balances(), '2/b')).toMatchObject({ total: 3 });
    expect(await run(projectionsRetry, { name: 'rates' })).toMatchObject({ ok: true, halted: null });
    expect(await run(projectionsParked, {})).toEqual({ parked: [], halted: [] });
  });

  it('refuses the name of no read model, naming those that exist', async () => {
    for (const command of [
      projectionsRebuild,
      projectionsRollback,
      projectionsCancel,
      projectionsAbandon,
      projectionsVerify,
      projectionsParked,
      projectionsRetry,
    ]) {
      const { details } = await refusalOf(run(command, { name: 'nothing' }));
      expect(details.errors?.get('name')).toEqual(['must be one of balances, deposits, rates']);
    }
  });
});
