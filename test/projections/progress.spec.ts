import { randomUUID } from 'node:crypto';
import { systemClock } from '#kernel/ports/clock.js';
import { START, type EventStore } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { projectionLags } from '#projection-engine/projection-lags.js';
import {
  balances,
  bankPerCase,
  caughtUp,
  deposited,
  deposits,
  eventually,
  projected,
  rateSet,
  rates,
} from './engine-fixture.js';

const LONG_MS = 20_000;

describe('waiting for read models', () => {
  const { bank, reads } = bankPerCase();

  it('ends at once for events that no projection handles', async () => {
    const engine = bank.engine(reads, [rates()]);
    const position = await bank.happen(deposited(1, 'a'));
    expect(await engine.reached({ position, types: ['Deposited'], workspaceId: 1 }, LONG_MS)).toBe(true);
    expect(await engine.reached({ position, types: [], workspaceId: 1 }, LONG_MS)).toBe(true);
  });

  it('ends after its time limit when no process projects', async () => {
    const engine = bank.engine(reads, [balances()]);
    const position = await bank.happen(deposited(1, 'a'));
    expect(await engine.reached({ position, types: ['Deposited'], workspaceId: 1 }, 1)).toBe(false);
  });

  it('ends after its time limit, without a refusal, when the read store is away', async () => {
    const away = await bank.connectReads();
    const engine = bank.engine(away, [balances()]);
    await away.close();
    expect(await engine.reached({ position: '1', types: ['Deposited'], workspaceId: 1 }, 20)).toBe(false);
  });

  it('ends only when the documents can be read, here and in another process', async () => {
    const other = await bank.connectReads();
    const engine = bank.engine(reads, [balances(), deposits()]);
    const watcher = bank.engine(other, [balances(), deposits()]);
    engine.start();
    for (let total = 1; total <= 20; total += 1) {
      const position = await bank.happen(deposited(1, 'a'));
      const written = { position, types: ['Deposited'], workspaceId: 1 };
      expect(await (total % 2 === 0 ? engine : watcher).reached(written, LONG_MS)).toBe(true);
      expect(await other.get(balances(), '1/a')).toMatchObject({ total });
      expect(await other.count(deposits(), {})).toBe(total);
    }
  });

  it('waits for each of the projections that handle one of the types, and for no other', async () => {
    let holdsBack = false;
    const slow: ReadStore = {
      ...reads,
      write: async (writes, fence) => {
        if (
          writes.some(
            ({ generation, documents }) => generation.view.name === 'deposits' && documents.length > 0,
          )
        )
          await eventually(() => !holdsBack);
        return reads.write(writes, fence);
      },
    };
    const engine = bank.running(slow, [balances(), deposits(), rates()]);
    await projected(bank, engine, deposited(1, 'a'), rateSet(1));
    const rated = await bank.happen(rateSet(2));
    expect(await engine.reached({ position: rated, types: ['RateSet'], workspaceId: null }, LONG_MS)).toBe(
      true,
    );
    holdsBack = true;
    const position = await bank.happen(deposited(1, 'a'));
    const types = ['Deposited'];
    expect(await engine.reached({ position, types, workspaceId: 1 }, 20)).toBe(false);
    expect(await engine.reached({ position: rated, types: ['RateSet'], workspaceId: 1 }, LONG_MS)).toBe(true);
    holdsBack = false;
    expect(await engine.reached({ position, types, workspaceId: 1 }, LONG_MS)).toBe(true);
  });

  it('ends also when no projection handles the type of the last event of the write', async () => {
    const other = await bank.connectReads();
    const engine = bank.engine(reads, [rates()]);
    const watcher = bank.engine(other, [rates()]);
    engine.start();
    const position = await bank.happen(rateSet(1), deposited(1, 'a'));
    const written = { position, types: ['RateSet', 'Deposited'], workspaceId: null };
    expect(await engine.reached(written, LONG_MS)).toBe(true);
    expect(await watcher.reached(written, LONG_MS)).toBe(true);
  });

  it('ends in another process also when the events of one write come in several batches', async () => {
    const oneByOne: EventStore = {
      ...bank.events,
      subscribe: async function* (read) {
        for await (const batch of bank.events.subscribe(read)) {
          const before = batch.events.slice(0, -1);
          for (const event of before) yield { events: [event], position: event.position, caughtUp: false };
          yield { ...batch, events: batch.events.slice(-1) };
        }
      },
    };
    // Only the write itself moves the checkpoint: the next look is an hour away.
    const engine = bank.engine(reads, [rates(), balances()], { events: oneByOne, lookEveryMs: 3_600_000 });
    const watcher = bank.engine(await bank.connectReads(), [rates(), balances()]);
    engine.start();
    await projected(bank, engine, rateSet(1));
    const metadata = { workspaceId: '1', recordedAt: new Date().toISOString() };
    const { position } = await bank.events.append('mixed-1', 'no-stream', [
      { id: randomUUID(), type: 'RateSet', data: { rate: 2 }, metadata },
      { id: randomUUID(), type: 'Deposited', data: { account: 'a', amount: 1 }, metadata },
    ]);
    const types = ['RateSet', 'Deposited'];
    expect(await watcher.reached({ position, types, workspaceId: 1 }, LONG_MS)).toBe(true);
  });

  it('leaves out a projection that is parked for the workspace, for that workspace only', async () => {
    const engine = bank.engine(reads, [balances()]);
    const watcher = bank.engine(await bank.connectReads(), [balances()]);
    engine.start();
    await projected(bank, engine, deposited(1, 'a', 1, true));
    await engine.stop();
    const position = await bank.happen(deposited(1, 'a'), deposited(2, 'a'));
    const written = { position, types: ['Deposited'] };
    expect(await watcher.reached({ ...written, workspaceId: 1 }, LONG_MS)).toBe(true);
    expect(await watcher.reached({ ...written, workspaceId: 2 }, 20)).toBe(false);
  });

  it('leaves out projections parked for the workspace also while the projecting process is busy', async () => {
    let holdsBack = false;
    const slow: ReadStore = {
      ...reads,
      write: async (writes, fence) => {
        await eventually(() => !holdsBack);
        return reads.write(writes, fence);
      },
    };
    const engine = bank.running(slow, [balances()]);
    await projected(bank, engine, deposited(1, 'a', 1, true));
    holdsBack = true;
    const position = await bank.happen(deposited(1, 'a'), deposited(2, 'a'));
    const written = { position, types: ['Deposited'] };
    expect(await engine.reached({ ...written, workspaceId: 2 }, 20)).toBe(false);
    expect(await engine.reached({ ...written, workspaceId: 1 }, LONG_MS)).toBe(true);
    holdsBack = false;
  });

  it('leaves out a halted projection, here and in another process', async () => {
    const engine = bank.engine(reads, [rates()]);
    const watcher = bank.engine(await bank.connectReads(), [rates()]);
    engine.start();
    const position = await bank.happen(rateSet(1, true));
    const written = { position, types: ['RateSet'], workspaceId: null };
    expect(await engine.reached(written, LONG_MS)).toBe(true);
    expect(await watcher.reached(written, LONG_MS)).toBe(true);
    expect(await reads.get(rates(), 'rate').catch(() => null)).toBeNull();
  });

  it('serves 64 waiters with few looks at the read store', async () => {
    let looks = 0;
    const counted: ReadStore = {
      ...reads,
      checkpoint: (generation) => {
        looks += 1;
        return reads.checkpoint(generation);
      },
    };
    const engine = bank.running(counted, [balances(), deposits()]);
    await projected(bank, engine, deposited(1, 'a'));
    const before = looks;
    const waits = Array.from({ length: 64 }, async (_, index) => {
      const stream = `bank-${100 + index}`;
      const metadata = { workspaceId: String(100 + index), recordedAt: new Date().toISOString() };
      const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      const { position } = await bank.events.append(stream, 'no-stream', [
        { id, type: 'Deposited', data: { account: 'a', amount: 1 }, metadata },
      ]);
      return engine.reached({ position, types: ['Deposited'], workspaceId: 100 + index }, LONG_MS);
    });
    expect(await Promise.all(waits)).toEqual(Array.from({ length: 64 }, () => true));
    expect(looks).toBe(before);
  });

  it('has no lag when everything is handled, even with a clock that is ahead, and counts it otherwise', async () => {
    const clock = { now: () => new Date(Date.now() + 60_000) };
    const engine = bank.running(reads, [balances(), rates()], { clock });
    await projected(bank, engine, deposited(1, 'a'), rateSet(1), deposited(1, 'a'));
    await engine.stop();
    expect((await engine.status()).map(({ lagSeconds }) => lagSeconds)).toEqual([0, 0]);
    await bank.happen(rateSet(2));
    const [bankStatus, rateStatus] = await engine.status();
    expect(bankStatus?.lagSeconds).toBe(0);
    expect(rateStatus?.lagSeconds).toBeGreaterThanOrEqual(60);
    const [bankFigures, rateFigures] = await engine.figures();
    expect(bankFigures?.lagSeconds).toBe(0);
    expect(rateFigures?.lagSeconds).toBeGreaterThanOrEqual(60);
  });

  it('readiness names projections that are behind, even after a long backlog of others, and that no process projects', async () => {
    let aheadMs = 10_000;
    const clock = { now: () => new Date(Date.now() + aheadMs) };
    const engine = bank.engine(reads, [balances(), rates(), deposits()], { clock });
    const watcher = bank.engine(await bank.connectReads(), [balances(), rates(), deposits()], { clock });
    engine.start();
    await projected(bank, engine, deposited(1, 'a'), rateSet(1));
    expect(await watcher.readiness()).toMatchObject({ ready: true, behind: [], unled: [] });
    await engine.stop();
    await bank.happen(...Array.from({ length: 600 }, () => deposited(1, 'a')), rateSet(2));
    const late = await watcher.readiness();
    expect(late).toMatchObject({ ready: true, unled: ['bank'], notCaughtUp: [] });
    expect(late.behind.map(({ name }) => name).toSorted()).toEqual(['balances', 'deposits', 'rates']);
    for (const { lagSeconds } of late.behind) expect(lagSeconds).toBeGreaterThanOrEqual(10);
    aheadMs = 60_000;
    expect((await watcher.readiness()).ready).toBe(false);
  });

  it('reads a long backlog once more for all idle projections behind it', async () => {
    await bank.happen(...Array.from({ length: 600 }, () => deposited(1, 'a')), rateSet(2));
    let reads = 0;
    const readAll: EventStore['readAll'] = (read) => ((reads += 1), bank.events.readAll(read));
    const idle = ['first', 'second', 'third'].map((name) => ({ ...rates(), name }));
    const standings = [deposits(), ...idle].map((view) => ({ projection: view, live: 1, position: START }));
    const lags = await projectionLags({ events: { ...bank.events, readAll }, clock: systemClock }, standings);
    expect([...lags.keys()]).toEqual(['deposits', 'first', 'second', 'third']);
    expect(reads).toBe(2);
  });

  it('looks at the checkpoints of another process less often the longer it takes, and answers after the time limit', async () => {
    let looks = 0;
    const engine = bank.running(reads, [rates()]);
    await projected(bank, engine, rateSet(1));
    await engine.stop();
    const other = await bank.connectReads();
    const counted: ReadStore = {
      ...other,
      checkpoint: (generation) => {
        looks += 1;
        return other.checkpoint(generation);
      },
    };
    const watcher = bank.engine(counted, [rates()], { pollMs: undefined });
    const position = await bank.happen(rateSet(2));
    expect(await watcher.reached({ position, types: ['RateSet'], workspaceId: null }, 500)).toBe(false);
    // A millisecond apart at first, then a quarter of the time waited, then 20 a second.
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThanOrEqual(4 + 18 + 6);
  });

  it('says which process projects, and how far', async () => {
    const engine = bank.running(reads, [balances()], { holder: 'host:1:me' });
    const position = await projected(bank, engine, deposited(1, 'a'));
    expect((await engine.status())[0]).toMatchObject({
      name: 'balances',
      version: 1,
      group: 'bank',
      live: 1,
      generations: [1],
      head: position,
      checkpoint: position,
      leaseHolder: 'host:1:me',
      halted: null,
      rebuild: null,
    });
    await engine.stop();
    expect((await engine.status())[0]?.leaseHolder).toBeNull();
  });

  it('continues by itself after the stores were away', async () => {
    let isAway = false;
    const failures: unknown[] = [];
    const flaky: EventStore = {
      ...bank.events,
      subscribe: async function* (read) {
        for await (const batch of bank.events.subscribe(read)) {
          if (isAway) throw new Error('the subscription was dropped');
          yield batch;
        }
      },
    };
    const engine = bank.running(reads, [balances()], {
      events: flaky,
      onFailure: (_, error) => failures.push(error),
    });
    await projected(bank, engine, deposited(1, 'a'));
    isAway = true;
    await bank.happen(deposited(1, 'a'));
    await eventually(() => failures.length > 0);
    isAway = false;
    await caughtUp(bank, engine);
    expect(await reads.get(balances(), '1/a')).toMatchObject({ total: 2 });
  });
});
