import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { LeaseLost, type ReadStore } from '#kernel/ports/read-store.port.js';
import { holdLease } from '#projection-engine/held-lease.js';
import { tombstoneSweep } from '#projection-engine/tombstones.js';
import { openProjectedView } from '#projection-engine/projected-view.js';
import { balances, bankPerCase, closed, deposited, eventually, projected } from './engine-fixture.js';

const CACHE = { maxDocuments: 10, maxBytes: 10_000 };
const HOUR_MS = 3_600_000;

describe('a held lease', () => {
  const { reads } = bankPerCase();
  const timing = { ttlMs: 60_000, renewEveryMs: 1 };

  it('is refused while another holds it, and free again once released', async () => {
    const lease = await holdLease(reads, 'work', 'a:1:x', timing);
    expect(await holdLease(reads, 'work', 'b:2:y', timing)).toBeNull();
    await lease?.release();
    const next = await holdLease(reads, 'work', 'b:2:y', timing);
    expect(next?.fence().epoch).toBe((await reads.lease('work'))?.epoch);
    await next?.release();
  });

  it('is renewed while it is held', async () => {
    const lease = await holdLease(reads, 'work', 'a:1:x', timing);
    let left = timing.ttlMs;
    await eventually(async () => {
      const before = left;
      left = (await reads.lease('work'))?.remainingMs ?? 0;
      return left > before;
    });
    await lease?.release();
  });

  it('is renewed together with all leases of this process, each lost separately', async () => {
    const rounds: string[][] = [];
    const counting: ReadStore = {
      ...reads,
      renewLeases: (fences, ttlMs) => {
        rounds.push(fences.map(({ lease }) => lease));
        return reads.renewLeases(fences, ttlMs);
      },
    };
    const names = ['work', 'seat', 'rest'];
    const leases = await Promise.all(names.map((name) => holdLease(counting, name, 'a:1:x', timing)));
    await eventually(() => rounds.some((round) => round.length === names.length));
    let isNotified = false;
    leases[1]?.onLost(() => (isNotified = true));
    await reads.releaseLease('seat', { lease: 'seat', epoch: 1 });
    await eventually(() => isNotified);
    rounds.length = 0;
    await eventually(() => rounds.length > 1);
    expect(rounds[1]?.toSorted()).toEqual(['rest', 'work']);
    expect(leases.map((lease) => lease?.fence)).not.toContain(undefined);
    expect(leases[0]?.fence()).toEqual({ lease: 'work', epoch: 1 });
    expect(() => leases[1]?.fence()).toThrow(LeaseLost);
    expect(await reads.lease('seat')).toBeNull();
    for (const lease of leases) await lease?.release();
  });

  it('is noticed as lost when another process took it', async () => {
    const lease = await holdLease(reads, 'work', 'a:1:x', timing);
    let isNotified = false;
    lease?.onLost(() => (isNotified = true));
    await reads.releaseLease('work', { lease: 'work', epoch: lease?.fence().epoch ?? 0 });
    await reads.acquireLease('work', 'b:2:y', 60_000);
    await eventually(() => isNotified);
    expect(() => lease?.fence()).toThrow(LeaseLost);
    await lease?.release();
    expect((await reads.lease('work'))?.holder).toBe('b:2:y');
  });

  it('gives no fence once it is too old to be certain, even if no renewal ran', async () => {
    const lease = await holdLease(reads, 'work', 'a:1:x', { ttlMs: 0, renewEveryMs: 60_000 });
    await eventually(() => {
      try {
        lease?.fence();
        return false;
      } catch (error) {
        return error instanceof LeaseLost;
      }
    });
  });

  it('is taken at once from a dead process of this host, and not from the same process id on another host', async () => {
    const { pid } = spawnSync(process.execPath, ['--eval', '']);
    await reads.acquireLease('here', `${hostname()}:${pid}:x`, HOUR_MS);
    await reads.acquireLease('there', `elsewhere:${pid}:x`, HOUR_MS);
    const taken = await holdLease(reads, 'here', 'b:2:y', timing);
    expect(taken?.fence().epoch).toBe(2);
    await taken?.release();
    expect(await holdLease(reads, 'there', 'b:2:y', timing)).toBeNull();
  });
});

describe('tombstones', () => {
  const { bank, reads } = bankPerCase();

  it('are swept 24 h of real time after the deletion was projected, and not before', async () => {
    const engine = bank.running(reads, [balances()]);
    await projected(bank, engine, deposited(1, 'a'), closed(1, 'a'), deposited(1, 'b'));
    await engine.stop();
    await reads.deleteRecord('tombstone-milestones', 'bank');
    const projectedView = await openProjectedView(reads, balances(), 1, CACHE);
    const lease = await holdLease(reads, 'projections:bank', 'a:1:x');
    if (lease === null) throw new Error('another process holds the lease');
    const context = { events: bank.events, reads, decode: () => null, fence: lease.fence };
    const sweep = tombstoneSweep(context, 'bank');
    const tombstone = async () => (await reads.load(projectedView.generation, ['1/a'])).get('1/a');

    expect(await sweep([projectedView], 0)).toBe(0);
    expect(await sweep([projectedView], HOUR_MS)).toBe(0);
    expect(await sweep([projectedView], 23 * HOUR_MS)).toBe(0);
    expect(await tombstone()).toMatchObject({ document: null });
    expect(await sweep([projectedView], 24 * HOUR_MS)).toBe(1);
    expect(await tombstone()).toBeUndefined();
    await lease.release();
  });
});
