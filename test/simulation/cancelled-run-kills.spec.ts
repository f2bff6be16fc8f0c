import { workspaceScoped } from '#kernel/commands/decider.js';
import { cancel } from '#signals/domain/runs/cancel-run.js';
import { signalRun } from '#signals/domain/runs/signal-run.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { everyPoint, killedAt, killedPoints } from '../support/killed-points.js';
import { untilDeath, type Lived } from '../support/mortal.js';
import {
  openSignalHouse,
  PRICE,
  type Launched,
  type RunWork,
  type SignalHouse,
} from '../support/signal-house.js';
import { expectEnded, inOrder, MANY, networkObservations } from '../support/signal-run-checks.js';

const NEVER = new AbortController().signal;
const actor = { kind: 'system', id: 'test' } as const;
const archived = inOrder(MANY);

let house: SignalHouse;
beforeAll(async () => {
  house = await openSignalHouse();
  await house.ingest(networkObservations(house.now()));
});
afterAll(() => house.close());

async function launchOne(credits = 5_000, directions?: 'both'): Promise<Launched> {
  const workspaceId = await house.workspace({ mode: 'self' }, credits);
  return house.launch(workspaceId, await house.agent(workspaceId), {
    keyword: 'archives',
    ...(directions === 'both' && { directions: ['inbound', 'outbound'] as const }),
  });
}

/** Works on one direction until it is done or its process dies there. */
const work = (on: RunWork, fatalPoint = Infinity): Promise<Lived> =>
  untilDeath(fatalPoint, (life) => executeSignalRun.act(house.worker(life), on, NEVER));

const workUntil = (launched: Launched, fatalPoint: number): Promise<Lived> => work(launched.work, fatalPoint);

let requests = 0;
/** Cancels it from a process of its own, like a request; returns whether that was before the end. */
async function cancelIt({ workspaceId }: Launched, { runId }: RunWork): Promise<boolean> {
  const commandId = `cancel-${(requests += 1)}`;
  const stream = workspaceScoped(workspaceId, runId);
  try {
    await house.operator.commands.handle(signalRun, stream, cancel({ runId, reason: null }), {
      context: { commandId, actor, workspaceId, correlationId: commandId },
      answer: () => null,
      waitForReadModels: false,
    });
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('ended already')) return false;
    throw error;
  }
}

const keptBy = async ({ before, workspaceId }: Launched): Promise<number> =>
  (await house.eventsAfter(before)).filter(
    ({ type, metadata }) => type === 'SignalDetected' && metadata['workspaceId'] === String(workspaceId),
  ).length;

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
      async check({ before, workspaceId }) {
        const movements = (await house.eventsAfter(before)).filter(
          ({ metadata }) => metadata['workspaceId'] === String(workspaceId),
        );
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
    const ended = (await house.eventsAfter(launched.before)).find(
      ({ type, metadata }) => type === 'RunEnded' && metadata['workspaceId'] === String(launched.workspaceId),
    );
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
    const ends = (await house.eventsAfter(launched.before)).filter(
      ({ type, metadata }) => type === 'RunEnded' && metadata['workspaceId'] === String(launched.workspaceId),
    );
    expect(ends.map(({ data }) => [data['outcome'], data['matchesFound'], data['creditsSpent']])).toEqual([
      ['completed', 120, String(120n * PRICE)],
      ['completed_partial', 0, '0'],
    ]);
  });
});
