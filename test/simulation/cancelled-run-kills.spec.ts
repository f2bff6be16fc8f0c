import { workspaceScoped } from '#kernel/commands/decider.js';
import { cancel } from '#signals/domain/runs/cancel-run.js';
import { signalRun } from '#signals/domain/runs/signal-run.js';
import { everyPoint, killedAt, killedPoints } from '../support/killed-points.js';
import type { Lived } from '../support/mortal.js';
import { PRICE, type Launched, type RunWork } from '../support/signal-house.js';
import {
  expectEnded,
  inOrder,
  MANY,
  sharedHouseOfPosts,
  launchFunded,
  runUntil,
} from '../support/signal-run-checks.js';
import { systemContext } from '../support/system-context.js';

const archived = inOrder(MANY);

const house = sharedHouseOfPosts();

const launchOne = (credits = 5_000, directions?: 'both'): Promise<Launched> =>
  launchFunded(house, credits, {
    keyword: 'archives',
    ...(directions === 'both' && { directions: ['inbound', 'outbound'] as const }),
  });

/** Works on one direction until it is done or its process dies there. */
const work = (on: RunWork, fatalPoint?: number): Promise<Lived> => runUntil(house, on, fatalPoint);

const workUntil = (launched: Launched, fatalPoint: number): Promise<Lived> => work(launched.work, fatalPoint);

/** Cancels it from a process of its own, like a request; returns whether that was before the end. */
async function cancelIt({ workspaceId }: Launched, { runId }: RunWork): Promise<boolean> {
  const stream = workspaceScoped(workspaceId, runId);
  try {
    await house.operator.commands.handle(signalRun, stream, cancel({ runId, reason: null }), {
      context: systemContext(workspaceId),
      waitForReadModels: false,
    });
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('ended already')) return false;
    throw error;
  }
}

const keptBy = async (launched: Launched): Promise<number> =>
  (await house.eventsSince(launched)).filter(({ type }) => type === 'SignalDetected').length;

/**
 * The run ended as cancelled, its kept detections are paid for, nothing else is charged, and nothing is left held.
 */
async function expectStopped(
  launched: Launched,
  outcome: 'completed' | 'completed_partial' = 'completed_partial',
): Promise<number> {
  const kept = await keptBy(launched);
  await expectEnded(house, launched, {
    outcome,
    kept: archived.slice(0, kept),
    paid: archived.slice(0, kept),
    dropped: 0,
  });
  return kept;
}

describe('RUN-37 a cancelled run', () => {
  it('P4 stops at its next batch and settles, wherever its worker died before the cancellation', async () => {
    const stopped = new Set<number>();
    await killedAt({
      pointsOf: (points) => everyPoint(points, 29, 3),
      begin: launchOne,
      workUntil,
      async finish(launched) {
        const isCancelled = await cancelIt(launched, launched.work);
        expect((await work(launched.work)).died).toBe(false);
        return isCancelled;
      },
      async check(launched, isCancelled = false) {
        const kept = await expectStopped(launched, isCancelled ? 'completed_partial' : 'completed');
        if (isCancelled) stopped.add(kept);
      },
    });
    // Before the first batch, between two, and during the last one.
    expect(stopped).toEqual(new Set([0, 50, 100, 120]));
  });

  it('P4 settles once and exactly, wherever its worker dies (every fourth point) after the cancellation in the middle of a batch', async () => {
    const measured = await launchOne();
    const inBatch = Math.ceil((await work(measured.work)).points / 2);
    const cancelledThere = async (): Promise<Launched> => {
      const launched = await launchOne();
      expect((await work(launched.work, inBatch)).died).toBe(true);
      expect(await cancelIt(launched, launched.work)).toBe(true);
      return launched;
    };
    const kept = new Set<number>();
    await killedAt({
      morePointsThan: 10,
      alwaysDies: true,
      pointsOf: (points) => killedPoints(points, 4),
      begin: cancelledThere,
      workUntil,
      async check(launched) {
        kept.add(await expectStopped(launched));
        expect([...kept]).toHaveLength(1);
      },
    });
    expect(Math.max(...kept)).toBeLessThan(archived.length);
  });

  it('settles once if two workers continue it at once', async () => {
    await killedAt({
      pointsOf: () => everyPoint(200, 40, 40),
      begin: launchOne,
      workUntil,
      async finish(launched) {
        await cancelIt(launched, launched.work);
        await Promise.all([work(launched.work), work(launched.work)]);
      },
      async check(launched) {
        const movements = await house.eventsSince(launched);
        const idsOf = (...types: readonly string[]) =>
          movements
            .filter(({ type }) => types.includes(type))
            .map(({ data }) => Number(data['movementId']))
            .toSorted((left, right) => left - right);
        expect(idsOf('CreditsCaptured', 'CreditsReleased')).toEqual(idsOf('CreditsHeld'));
        expect(idsOf('CreditsCaptured')).toEqual(idsOf('SignalDetected'));
      },
    });
  });

  it('keeps what it paid for if the credits ran out before the cancellation', async () => {
    const launched = await launchOne(709);
    const { points } = await work((await launchOne(709)).work);
    await work(launched.work, Math.ceil(points * 0.8));
    await cancelIt(launched, launched.work);
    await work(launched.work);
    const kept = await keptBy(launched);
    const ended = (await house.eventsSince(launched)).find(({ type }) => type === 'RunEnded');
    expect(ended?.data).toMatchObject({
      outcome: 'completed_partial',
      matchesFound: kept,
      creditsSpent: String(BigInt(kept) * PRICE),
    });
    expect(kept).toBe(70);
  });

  it('does not affect the other direction of its launch, which pays for its own findings', async () => {
    const launched = await launchOne(5_000, 'both');
    const [first, second] = launched.works;
    if (first === undefined || second === undefined) throw new Error('there are two directions');
    // The second waits for the first: it is cancelled before it has begun.
    await cancelIt(launched, second);
    await work(first);
    await work(second);
    const ends = (await house.eventsSince(launched)).filter(({ type }) => type === 'RunEnded');
    expect(ends.map(({ data }) => [data['outcome'], data['matchesFound'], data['creditsSpent']])).toEqual([
      ['completed', 120, String(120n * PRICE)],
      ['completed_partial', 0, '0'],
    ]);
  });
});
