import { workspaceScoped } from '#kernel/commands/decider.js';
import { agent, deleteAgent } from '#signals/domain/agents/agent.js';
import { fail, signalRun } from '#signals/domain/runs/signal-run.js';
import { everyPoint, killedAt, killedPoints, type Campaign } from '../support/killed-points.js';
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

const house = sharedHouseOfPosts();

/** Works on one direction until it is done or its process dies there. */
const work = (on: RunWork, fatalPoint?: number): Promise<Lived> => runUntil(house, on, fatalPoint);

const workUntil = (launched: Launched, fatalPoint: number): Promise<Lived> => work(launched.work, fatalPoint);

async function giveUp({ workspaceId }: Launched, { runId }: RunWork): Promise<void> {
  await house.decide(workspaceId, signalRun, workspaceScoped(workspaceId, runId), fail(PRICE, 'test'));
}

async function moneyOf(launched: Launched) {
  const events = await house.eventsSince(launched);
  const movements = (type: string): readonly number[] =>
    events
      .filter((event) => event.type === type && event.data['movementId'] !== null)
      .map(({ data }) => Number(data['movementId']))
      .toSorted((left, right) => left - right);
  return {
    held: movements('CreditsHeld'),
    captured: movements('CreditsCaptured'),
    released: movements('CreditsReleased'),
    recorded: [...new Set(movements('SignalDetected'))],
    subjects: new Set(
      events.filter(({ type }) => type === 'CreditsHeld').map(({ data }) => JSON.stringify(data['key'])),
    ),
    ends: events.filter(({ type }) => type === 'RunEnded').length,
  };
}

type Money = Awaited<ReturnType<typeof moneyOf>>;

describe('two directions of one launch, which share their charge keys', () => {
  type Both = Launched & { readonly other: RunWork };
  const launchBoth = async (): Promise<Both> => {
    const launched = await launchFunded(house, 500, {
      keyword: 'ledgers',
      directions: ['inbound', 'outbound'],
    });
    const other = launched.works[1];
    if (other === undefined) throw new Error('there are two directions');
    return { ...launched, other };
  };

  /** Every recorded detection is paid for once, and every other hold is released. */
  async function expectSettled(launched: Launched): Promise<void> {
    const money = await moneyOf(launched);
    expect(money.ends).toBe(2);
    expect(money.captured).toEqual(money.recorded);
    const settled = [...money.captured, ...money.released].toSorted((left, right) => left - right);
    expect(settled).toEqual(money.held);
    expect(money.subjects.size).toBe(money.held.length);
  }

  it('P4 a failed one releases nothing that the other has recorded or is about to record', async () => {
    const campaign = (givenUp: (launched: Both) => readonly RunWork[]): Campaign<Both, Money> => ({
      morePointsThan: 50,
      pointsOf: (points) => killedPoints(points, 3, 5),
      begin: launchBoth,
      workUntil,
      async finish(launched, { fatalPoint }) {
        // The first died with open holds; the second has begun with the same subjects, and dies too.
        await work(launched.other, Math.max(1, fatalPoint - 2));
        for (const direction of givenUp(launched)) await giveUp(launched, direction);
        expect((await work(launched.work)).died).toBe(false);
        expect((await work(launched.other)).died).toBe(false);
        return moneyOf(launched);
      },
      async check(launched, finished) {
        if (finished === undefined) await work(launched.other);
        await expectSettled(launched);
      },
    });
    const one = await killedAt(campaign((launched) => [launched.work]));
    expect(Math.max(...one.map(({ captured }) => captured.length))).toBeGreaterThan(0);
    // Both have failed: the last of them releases what neither has recorded.
    const both = await killedAt(campaign((launched) => [launched.work, launched.other]));
    expect(Math.max(...both.map(({ released }) => released.length))).toBeGreaterThan(0);
  });
});

describe('OP-32 a run whose agent is deleted', () => {
  const archived = inOrder(MANY);
  const launchOne = (): Promise<Launched> => launchFunded(house, 5_000, { keyword: 'archives' });
  const deleteOf = ({ workspaceId, agentId }: Launched): Promise<unknown> =>
    house.decide(workspaceId, agent, workspaceScoped(workspaceId, agentId), deleteAgent(agentId));

  it('stops before its next batch, keeps its detections, and ends as completed_partial, wherever it died before', async () => {
    const keptAt = await killedAt({
      pointsOf: (points) => everyPoint(points, 29, 3),
      begin: launchOne,
      workUntil,
      async finish(launched, { died }): Promise<number> {
        await deleteOf(launched);
        await work(launched.work);
        const kept = (await house.eventsSince(launched)).filter(
          ({ type }) => type === 'SignalDetected',
        ).length;
        if (!died) expect(kept).toBe(archived.length);
        return kept;
      },
      check: (launched, kept = archived.length) =>
        expectEnded(house, launched, {
          outcome: kept === archived.length ? 'completed' : 'completed_partial',
          kept: archived.slice(0, kept),
          paid: archived.slice(0, kept),
          dropped: 0,
        }),
    });
    // It was stopped before the first batch, between two, and not at all when nothing was left to search.
    expect(new Set(keptAt)).toEqual(new Set([0, 50, 100, 120]));
  });
});

describe('a run whose prepared batch has lost its candidates from the log', () => {
  /** As after days in which no service ran. */
  async function letCandidatesGo(): Promise<void> {
    // The last event of the log always stays.
    await house.workspace({ mode: 'self' }, 1);
    const inTwoDays = new Date(house.now().getTime() + 3 * 24 * 3_600_000);
    for (let left = true; left;) left = !(await house.events.sweep(inTwoDays)).isDone;
  }

  it('fails, releases the holds of the batch, and leaves all of it to the next run', async () => {
    const released = await killedAt({
      pointsOf: () => everyPoint(60, 9, 5),
      begin: () => launchFunded(house, 500, { keyword: 'ledgers' }),
      workUntil,
      async finish(launched) {
        const prepared = (await house.eventsAfter(launched.before)).filter(
          ({ type }) => type === 'BatchPrepared' || type === 'BatchCompleted',
        );
        await letCandidatesGo();
        expect((await work(launched.work)).died).toBe(false);
        if (prepared.at(-1)?.type !== 'BatchPrepared') return null;
        const ended = (await house.eventsAfter(launched.before)).find(({ type }) => type === 'RunEnded');
        expect(ended?.data).toMatchObject({ outcome: 'failed', matchesFound: 0, creditsSpent: '0' });
        const money = await moneyOf(launched);
        expect(money).toMatchObject({ captured: [], recorded: [], released: money.held });
        const again = await house.launch(launched.workspaceId, launched.agentId, { keyword: 'ledgers' });
        await work(again.work);
        expect((await moneyOf(again)).recorded.length).toBeGreaterThan(0);
        return money.released.length;
      },
      async check(launched) {
        const { captured, recorded } = await moneyOf(launched);
        expect(captured).toEqual(recorded);
      },
    });
    expect(Math.max(...released.map((count) => count ?? 0))).toBeGreaterThan(0);
  });
});
