import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { release } from '#ledger/domain/settle-credits.js';
import { alreadyRunning } from '#signals/domain/launches/launches.js';
import { progressOf, signalRun } from '#signals/domain/runs/signal-run.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import type { Acted, Process, ProcessHost } from '#process-engine/process.js';
import { PARTITIONS } from '#kernel/events/workspace-partition.js';
import { partitionLease } from '#process-engine/partitions.js';
import { createProcessRunner, type ProcessRunner } from '#process-engine/process-runner.js';
import { soon } from '../support/event-stores.js';
import { failedIn, killedAt, killedPoints } from '../support/killed-points.js';
import { lifeUntil } from '../support/mortal.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { processes } from '#runtime/processes.js';
import type { Launched } from '../support/signal-house.js';
import { operatorContext } from '../support/system-context.js';
import {
  expectEnded,
  FEW,
  inOrder,
  MANY,
  sharedHouseOfPosts,
  launchFunded,
  runUntil,
} from '../support/signal-run-checks.js';

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;

const few = inOrder(FEW);
const many = inOrder(MANY);

const house = sharedHouseOfPosts();

const launchKeyword = (keyword = 'ledgers', credits = 5_000): Promise<Launched> =>
  launchFunded(house, credits, { keyword });

const act = (host: ProcessHost, { work }: Launched): Promise<Acted> =>
  executeSignalRun.act(host, work, NEVER);

/** One attempt as the runner makes it: an error is reported to the process. */
async function attempt(host: ProcessHost, launched: Launched): Promise<unknown> {
  try {
    await act(host, launched);
    return null;
  } catch (error) {
    await executeSignalRun.failed?.(host, launched.work, error);
    return error;
  }
}

const stateOf = ({ workspaceId, work }: Launched) =>
  house.worker().commands.load(signalRun, workspaceScoped(workspaceId, work.runId), progressOf);

const typesOf = async (launched: Launched): Promise<readonly string[]> =>
  (await house.eventsSince(launched)).map(({ type }) => type);

describe('a run', () => {
  it('has one effect if two workers execute it at once', async () => {
    for (const [keyword, kept] of [
      ['ledgers', few],
      ['archives', many],
    ] as const) {
      const launched = await launchKeyword(keyword);
      await Promise.all([act(house.worker(), launched), act(house.worker(), launched)]);
      await expectEnded(house, launched, { outcome: 'completed', kept, paid: kept, dropped: 0 });
    }
  });

  it('has one effect if a worker continues after another has finished it, with credits added meanwhile', async () => {
    const kept = few.slice(0, 3);
    let points = 0;
    for (let stopAt = 1; points === 0 || stopAt <= points; stopAt += 2) {
      const launched = await launchKeyword('ledgers', 30);
      // The slow one stops before a call and continues with that call when everything is over.
      let goOn = (): void => undefined;
      const over = new Promise<void>((resolve) => (goOn = resolve));
      const life = lifeUntil(Infinity);
      const slow = house.worker({
        ...life,
        step: async (call) => {
          if (life.points() + 1 >= stopAt) await over;
          return life.step(call);
        },
      });
      const slowly = act(slow, launched);
      await act(house.worker(), launched);
      await house.grant(launched.workspaceId, 1_000);
      goOn();
      await soon('the slow worker', slowly);
      points = Math.max(points, life.points());
      await expectEnded(house, launched, {
        outcome: 'completed_partial',
        kept,
        paid: kept,
        dropped: 2,
        contentsClaimedInVain: 2,
      }).catch(failedIn(`the slow worker stood at point ${stopAt}`));
    }
    expect(points).toBeGreaterThan(10);
  });

  it('finds and charges nothing again when it is launched again', async () => {
    const first = await launchKeyword();
    await act(house.worker(), first);
    const again = await house.launch(first.workspaceId, first.agentId, { keyword: 'ledgers' });
    await act(house.worker(), again);
    await expectEnded(house, again, { outcome: 'completed', kept: [], paid: [], dropped: 0 });
  });

  it('requests no more credits once a hold was cut short, even after a grant: the kept detections are a prefix', async () => {
    const launched = await launchKeyword('archives', 300);
    const { commands } = house.worker();
    const toppedUp: Commands = {
      ...commands,
      async handle(decider, id, decision, options) {
        const handled = await commands.handle(decider, id, decision, options);
        // Between the batch that ran out of credits and the next one.
        if (options.context.commandId.endsWith(':batch:1:complete'))
          await house.grant(launched.workspaceId, 5_000);
        return handled;
      },
    };
    await act(house.worker(undefined, { commands: toppedUp }), launched);
    expect((await typesOf(launched)).filter((type) => type === 'CreditsGranted')).toHaveLength(1);
    const prefix = many.slice(0, 30);
    await expectEnded(house, launched, {
      outcome: 'completed_partial',
      kept: prefix,
      paid: prefix,
      dropped: many.length - prefix.length,
    });
  });

  it('reports on a second launch the matches that were not covered on the first', async () => {
    const first = await launchKeyword('ledgers', 20);
    await act(house.worker(), first);
    await expectEnded(house, first, {
      outcome: 'completed_partial',
      kept: few.slice(0, 2),
      paid: few.slice(0, 2),
      dropped: 3,
    });
    await house.grant(first.workspaceId, 100);
    const again = await house.launch(first.workspaceId, first.agentId, { keyword: 'ledgers' });
    await act(house.worker(), again);
    const rest = few.slice(2);
    await expectEnded(house, again, { outcome: 'completed', kept: rest, paid: rest, dropped: 0 });
  });

  it('cannot be launched a second time while it is in progress', async () => {
    const launched = await launchKeyword();
    const second = house.launch(launched.workspaceId, launched.agentId, { keyword: 'ledgers' });
    await expect(second).rejects.toMatchObject({ declaration: alreadyRunning });
    await act(house.worker(), launched);
  });

  it('continues after an operator has released its holds or recorded movements', async () => {
    const openHolds = ({ workspaceId }: Launched) =>
      house.operator.commands.load(creditAccount, `${workspaceId}`, ({ books }) => [
        ...books.openHolds.keys(),
      ]);
    const paidAfterRelease = await killedAt({
      pointsOf: (points) => killedPoints(points, 3),
      begin: launchKeyword,
      workUntil: ({ work }, fatalPoint) => runUntil(house, work, fatalPoint),
      async finish(launched) {
        const { workspaceId } = launched;
        const [movementId] = await openHolds(launched);
        if (movementId !== undefined) {
          const released = release({ movementId }, 'operator');
          const context = operatorContext(workspaceId);
          await house.decide(workspaceId, creditAccount, `${workspaceId}`, released, context);
        }
        await act(house.worker(), launched);
        return movementId === undefined ? few.length : few.length - 1;
      },
      async check(launched, paid = few.length) {
        expect(await openHolds(launched)).toEqual([]);
        const types = await typesOf(launched);
        expect(types.filter((type) => type === 'RunEnded')).toHaveLength(1);
        expect(types.filter((type) => type === 'CreditsCaptured')).toHaveLength(paid);
      },
    });
    expect(new Set(paidAfterRelease)).toEqual(new Set([few.length, few.length - 1]));
  });
});

describe('a run that cannot continue', () => {
  const broken = (failing: () => boolean): ProcessHost => {
    const host = house.worker();
    return {
      ...host,
      network: {
        ...host.network,
        posts: (search) =>
          failing() ? Promise.reject(new Error('the source is broken')) : host.network.posts(search),
        beforeNewestPosts: host.network.beforeNewestPosts,
      },
    };
  };

  it('fails after five attempts; recorded detections are captured, the rest is released, and it can be launched again', async () => {
    const launched = await launchKeyword('archives');
    let pages = 0;
    const host = broken(() => (pages += 1) > 1);
    for (let tries = 1; tries <= 4; tries += 1) {
      expect(await attempt(host, launched)).toMatchObject({ message: 'the source is broken' });
      expect(await stateOf(launched)).toMatchObject({ stage: 'running', attempts: tries });
    }
    expect(await attempt(host, launched)).toMatchObject({ message: 'the source is broken' });
    expect(await stateOf(launched)).toMatchObject({ stage: 'failed' });
    expect(await attempt(host, launched)).toBeNull();
    const { found } = await stateOf(launched);
    expect(found).toBeGreaterThan(0);
    const kept = many.slice(0, found);
    await expectEnded(house, launched, { outcome: 'failed', kept, paid: kept, dropped: 0 });

    const again = await house.launch(launched.workspaceId, launched.agentId, { keyword: 'archives' });
    await act(house.worker(), again);
    const rest = many.slice(found);
    await expectEnded(house, again, { outcome: 'completed', kept: rest, paid: rest, dropped: 0 });
  });

  it('that fails in the middle of a batch releases the holds of the batch', async () => {
    const launched = await launchKeyword();
    const host = house.worker();
    const ids: ProcessHost['ids'] = {
      ...host.ids,
      nextMany: async (kind, count) => {
        if (kind === 'content') throw new Error('no ids');
        return host.ids.nextMany(kind, count);
      },
    };
    for (let tries = 1; tries <= 5; tries += 1)
      expect(await attempt({ ...host, ids }, launched)).toMatchObject({ message: 'no ids' });
    expect((await typesOf(launched)).filter((type) => type === 'CreditsHeld')).toHaveLength(few.length);
    expect(await attempt({ ...host, ids }, launched)).toBeNull();
    await expectEnded(house, launched, { outcome: 'failed', kept: [], paid: [], dropped: 0 });
  });

  it('D-38 without a detector in this version fails, charges nothing, and delays no other run', async () => {
    const launched = await launchFunded(house, 5_000, {
      keyword: '',
      detection: {
        detectorKind: 'telepathy',
        signalTypes: ['keywordDetection'],
        parameters: {},
        audiences: ['network'],
      },
    });
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await attempt(house.worker(), launched)).toMatchObject({
        message: 'this version has no detector of kind telepathy',
      });
    }
    expect(await attempt(house.worker(), launched)).toBeNull();
    await expectEnded(house, launched, { outcome: 'failed', kept: [], paid: [], dropped: 0 });
    const other = await house.launch(launched.workspaceId, launched.agentId, { keyword: 'ledgers' });
    await act(house.worker(), other);
    await expectEnded(house, other, { outcome: 'completed', kept: few, paid: few, dropped: 0 });
  });

  it('resets its attempts after progress', async () => {
    const launched = await launchKeyword('archives');
    const host = house.worker();
    let failures = 0;
    const flaky: ProcessHost = {
      ...host,
      ids: {
        ...host.ids,
        nextMany: (kind, count) =>
          kind === 'movement' && (failures += 1) % 4 !== 0
            ? Promise.reject(new Error('flaky'))
            : host.ids.nextMany(kind, count),
      },
    };
    while ((await attempt(flaky, launched)) !== null);
    expect(failures).toBeGreaterThan(8);
    await expectEnded(house, launched, { outcome: 'completed', kept: many, paid: many, dropped: 0 });
  });

  it('does not count an unavailable store as a failure: it waits', async () => {
    const launched = await launchKeyword();
    const host = house.worker();
    const network = {
      ...host.network,
      posts: () => Promise.reject(new StoreUnavailable('network store down')),
    };
    for (let tries = 0; tries < 8; tries += 1)
      expect(await attempt({ ...host, network }, launched)).toBeInstanceOf(StoreUnavailable);
    const late = { ...host, progress: { reached: async () => false } };
    expect(await attempt(late, launched)).toBeInstanceOf(StoreUnavailable);
    expect(await stateOf(launched)).toMatchObject({ stage: 'running', attempts: 0 });
    await act(host, launched);
    await expectEnded(house, launched, { outcome: 'completed', kept: few, paid: few, dropped: 0 });
  });

  it('fails after six hours without progress in which a worker was alive, and not before', async () => {
    const launched = await launchKeyword();
    const life = lifeUntil(40);
    await Promise.race([act(house.worker(life), launched), life.death]);
    expect(await stateOf(launched)).toMatchObject({ stage: 'running' });
    // No worker ran for a week: that time does not count.
    house.advance(7 * 24 * HOUR_MS);
    const host = house.worker();
    const network = { ...host.network, posts: () => Promise.reject(new StoreUnavailable('down')) };
    const stuck = {
      ...host,
      network,
      ids: { ...host.ids, nextMany: () => Promise.reject(new StoreUnavailable('down')) },
    };
    house.advance(6 * HOUR_MS);
    expect(await attempt(stuck, launched)).toBeInstanceOf(StoreUnavailable);
    expect(await stateOf(launched)).toMatchObject({ stage: 'running' });
    house.advance(1);
    expect(await attempt(stuck, launched)).toBeNull();
    await expectEnded(house, launched, { outcome: 'failed', kept: [], paid: [], dropped: 0 });
    const again = await house.launch(launched.workspaceId, launched.agentId, { keyword: 'ledgers' });
    await act(house.worker(), again);
  });
});

describe('the runner', () => {
  const [signalRuns] = processes.filter(({ name }) => name === executeSignalRun.name) as [Process];
  const runners: ProcessRunner[] = [];
  const errors: unknown[] = [];
  const runner = (host: ProcessHost, processes: readonly Process[], holder = 'one'): ProcessRunner => {
    const made = createProcessRunner({
      host,
      processes,
      leases: house.reads,
      holder,
      watch: house.operator.projections.watch,
      readModelsSettled: async () => {
        await house.caughtUp();
        return house.events.head();
      },
      onError: (_process, _key, error) => errors.push(error),
    });
    runners.push(made);
    return made;
  };
  afterAll(() => Promise.all(runners.map((made) => made.stop())));

  it('skips a workspace whose model of duplicates is parked, continues with the others, and drains', async () => {
    const stopped = await launchKeyword();
    await act(house.worker(), stopped);
    house.poison.workspaceId = stopped.workspaceId;
    const poisoner = await house.launch(stopped.workspaceId, stopped.agentId, { keyword: 'archives' });
    await act(house.worker(), poisoner);
    const waiting = await house.launch(stopped.workspaceId, stopped.agentId, { keyword: 'weather' });
    const other = await launchKeyword();

    let acted = 0;
    const counted: Process = {
      ...signalRuns,
      act: (host, item, signal) => {
        acted += 1;
        return signalRuns.act(host, item, signal);
      },
    };
    const working = runner(house.worker(), [counted]);
    working.start();
    expect(await soon('the drain', working.drain())).toEqual({ processed: 1 });
    await expectEnded(house, other, { outcome: 'completed', kept: few, paid: few, dropped: 0 });
    expect(await typesOf(waiting)).not.toContain('RunStarted');
    expect(acted).toBe(1);
    await working.stop();
    expect(errors).toEqual([]);
  });

  it('continues the work of a dead process of this host at once, and not that of a living one', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    for (const [pid, processed] of [
      [process.ppid, 0],
      [gone.pid, 1],
    ] as const) {
      const held = Array.from({ length: PARTITIONS }, (_, number) => partitionLease(number));
      const leases = await Promise.all(
        held.map((name) => house.reads.acquireLease(name, `${hostname()}:${pid}:gone`, HOUR_MS)),
      );
      const launched = await launchKeyword();
      const working = runner(house.worker(), [signalRuns]);
      working.start();
      if (processed === 1) await expectProcessed(working);
      else {
        // A process that waits meanwhile does not get it either: the living one holds it for an hour.
        await working.stop();
        expect(await typesOf(launched)).not.toContain('RunStarted');
        await act(house.worker(), launched);
        for (const lease of leases)
          if (lease !== null)
            await house.reads.releaseLease(lease.name, { lease: lease.name, epoch: lease.epoch });
      }
    }
  });
});

async function expectProcessed(working: ProcessRunner): Promise<void> {
  expect(await soon('the drain', working.drain())).toEqual({ processed: 1 });
  await working.stop();
}
