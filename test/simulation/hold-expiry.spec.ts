import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { HOLD_LIFETIME_MS } from '#ledger/charging/expired-holds.js';
import { isWaiting } from '#process-engine/process.js';
import { releaseExpiredHolds } from '#runtime/processes.js';
import { dueItems, nextDueAt } from '#process-engine/to-do.js';
import { killedAt, killedPoints } from '../support/killed-points.js';
import type { Lived } from '../support/mortal.js';
import type { Launched } from '../support/signal-house.js';
import { sharedHouseOfPosts, launchFunded, runUntil } from '../support/signal-run-checks.js';

const NEVER = new AbortController().signal;

const house = sharedHouseOfPosts();

const launch = (): Promise<Launched> => launchFunded(house, 500, { keyword: 'ledgers' });

const workUntil = ({ work }: Launched, fatalPoint: number): Promise<Lived> =>
  runUntil(house, work, fatalPoint);

/** Processes everything that is due this long after now, with a worker of that time; returns the number of items. */
async function sweep(laterMs: number): Promise<number> {
  const later = new Date(house.now().getTime() + laterMs);
  let swept = 0;
  for (;;) {
    await house.caughtUp();
    const host = house.worker(undefined, { clock: { now: () => later } });
    const due = await dueItems(house.reads, releaseExpiredHolds.toDo, later, 10);
    const items = new Map(due.map((hold) => [releaseExpiredHolds.key(hold), hold]));
    for (const item of items.values()) await releaseExpiredHolds.act(host, item, NEVER);
    swept += items.size;
    if (items.size === 0) return swept;
  }
}

async function moneyOf(launched: Launched) {
  const events = await house.eventsSince(launched);
  const movements = (type: string): readonly number[] =>
    events.filter((event) => event.type === type).map(({ data }) => Number(data['movementId']));
  return {
    types: events.map(({ type }) => type),
    held: movements('CreditsHeld'),
    captured: movements('CreditsCaptured').toSorted(),
    released: movements('CreditsReleased').toSorted(),
    recorded: movements('SignalDetected').toSorted(),
  };
}

describe('OP-64 a run that died and was never continued', () => {
  it('P5 LED-07 ends every hold once after 24 hours: recorded results are captured, the rest is released', async () => {
    let [withHolds, fenced, capturedLate, releasedLate] = [0, 0, 0, 0];
    const finish = async (launched: Launched): Promise<void> => {
      const dead = await moneyOf(launched);
      const open = dead.held.length - dead.captured.length - dead.released.length;
      expect(await sweep(HOLD_LIFETIME_MS - 1)).toBe(0);
      await sweep(HOLD_LIFETIME_MS);
      const swept = await moneyOf(launched);
      expect([...swept.captured, ...swept.released].toSorted()).toEqual(swept.held.toSorted());
      expect(swept.captured).toEqual(swept.recorded);
      if (open > 0) {
        withHolds += 1;
        if (!dead.types.includes('RunCompleted')) expect(swept.types).toContain('RunFailed');
        fenced += swept.types.filter((type) => type === 'RunFailed').length;
        capturedLate += swept.captured.length - dead.captured.length;
        releasedLate += swept.released.length;
      }
      // If it is continued after all, it finds its end and moves no credits.
      await executeSignalRun.act(house.worker(), launched.work, NEVER);
      const ended = await moneyOf(launched);
      if (open > 0) {
        expect([ended.captured, ended.released]).toEqual([swept.captured, swept.released]);
        expect(ended.recorded).toEqual(swept.recorded);
      }
    };
    const check = async (launched: Launched): Promise<void> => {
      const { types } = await moneyOf(launched);
      expect(types.filter((type) => type === 'RunEnded')).toHaveLength(1);
      expect(await sweep(HOLD_LIFETIME_MS)).toBe(0);
    };
    await killedAt({
      begin: launch,
      workUntil,
      finish,
      check,
      pointsOf: (points) => killedPoints(points, 2),
    });
    // It covered runs that died between hold and record, and between record and capture.
    expect(Math.min(withHolds, fenced, capturedLate, releasedLate)).toBeGreaterThan(0);
  });

  it('is due by the clock: 24 hours after the oldest open hold', async () => {
    const { toDo } = releaseExpiredHolds;
    expect(await nextDueAt(house.reads, toDo, house.now())).toBeNull();
    const heldAt = house.now().getTime();
    for (let fatalPoint = 1; fatalPoint < 200; fatalPoint += 1) {
      const launched = await launch();
      await workUntil(launched, fatalPoint);
      const { held, captured } = await moneyOf(launched);
      if (held.length > captured.length) break;
    }
    await house.caughtUp();
    const due = await nextDueAt(house.reads, toDo, house.now());
    expect(due?.getTime()).toBe(heldAt + HOLD_LIFETIME_MS);
  });

  it('waits while its models are parked for the workspace', async () => {
    expect(await isWaiting(house.worker(), releaseExpiredHolds, 1)).toBe(false);
    for (const model of ['credit-movements', 'signal-run-work']) {
      const parked = house.worker(undefined, { isParked: async (view) => view === model });
      expect(await isWaiting(parked, releaseExpiredHolds, 1)).toBe(true);
    }
  });
});
