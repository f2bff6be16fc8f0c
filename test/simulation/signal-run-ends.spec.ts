import { workspaceScoped } from '#kernel/commands/decider.js';
import { agent, deleteAgent } from '#signals/domain/agents/agent.js';
import { fail, signalRun } from '#signals/domain/runs/signal-run.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
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

let house: SignalHouse;
beforeAll(async () => {
  house = await openSignalHouse();
  await house.ingest(networkObservations(house.now()));
});
afterAll(() => house.close());

let commands = 0;
const optionsOf = (workspaceId: number) => {
  const commandId = `ends-test-${(commands += 1)}`;
  return { context: { commandId, actor, workspaceId, correlationId: commandId }, answer: () => null };
};

/** Works on one direction until it is done or its process dies there. */
const work = (on: RunWork, fatalPoint = Infinity): Promise<Lived> =>
  untilDeath(fatalPoint, (life) => executeSignalRun.act(house.worker(life), on, NEVER));

async function giveUp({ workspaceId }: Launched, { runId }: RunWork): Promise<void> {
  const stream = workspaceScoped(workspaceId, runId);
  await house.operator.commands.handle(signalRun, stream, fail(PRICE, 'test'), optionsOf(workspaceId));
}

async function moneyOf({ before: start, workspaceId }: Launched) {
  const events = (await house.eventsAfter(start)).filter(
    ({ metadata }) => metadata['workspaceId'] === String(workspaceId),
  );
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

describe('two directions of one launch, which share their charge keys', () => {
  const launchBoth = async (): Promise<Launched & { readonly other: RunWork }> => {
    const workspaceId = await house.workspace({ mode: 'self' }, 500);
    const launched = await house.launch(workspaceId, await house.agent(workspaceId), {
      keyword: 'ledgers',
      directions: ['inbound', 'outbound'],
    });
    const other = launched.works[1];
    if (other === undefined) throw new Error('there are two directions');
    return { ...launched, other };
  };

  /** Every recorded detection is paid for once, and every other hold is released. */
  async function expectSettled(what: string, launched: Launched): Promise<void> {
    const money = await moneyOf(launched);
    expect([what, money.ends]).toEqual([what, 2]);
    expect([what, money.captured]).toEqual([what, money.recorded]);
    const settled = [...money.captured, ...money.released].toSorted((left, right) => left - right);
    expect([what, settled]).toEqual([what, money.held]);
    expect([what, money.subjects.size]).toEqual([what, money.held.length]);
  }

  it('P4 a failed one releases nothing that the other has recorded or is about to record', async () => {
    const measured = await launchBoth();
    const { points } = await work(measured.work);
    await work(measured.other);
    await expectSettled('both run through', measured);
    expect(points).toBeGreaterThan(50);

    let [freeOfBoth, paid] = [0, 0];
    for (let point = 5; point <= points; point += 3) {
      // The first dies with open holds; the second has begun with the same subjects, and dies too.
      const launched = await launchBoth();
      await work(launched.work, point);
      await work(launched.other, Math.max(1, point - 2));
      await giveUp(launched, launched.work);
      expect((await work(launched.work)).died).toBe(false);
      expect((await work(launched.other)).died).toBe(false);
      await expectSettled(`death at ${point}`, launched);
      paid += (await moneyOf(launched)).captured.length;
    }
    for (let point = 5; point <= points; point += 3) {
      // Both have failed: the last of them releases what neither has recorded.
      const launched = await launchBoth();
      await work(launched.work, point);
      await work(launched.other, Math.max(1, point - 2));
      for (const direction of [launched.work, launched.other]) await giveUp(launched, direction);
      for (const direction of [launched.work, launched.other]) await work(direction);
      await expectSettled(`both given up at ${point}`, launched);
      freeOfBoth += (await moneyOf(launched)).released.length;
    }
    expect(Math.min(freeOfBoth, paid)).toBeGreaterThan(0);
  });
});

describe('OP-32 a run whose agent is deleted', () => {
  const archived = inOrder(MANY);
  const launchOne = async (): Promise<Launched> => {
    const workspaceId = await house.workspace({ mode: 'self' }, 5_000);
    return house.launch(workspaceId, await house.agent(workspaceId), { keyword: 'archives' });
  };
  const deleteOf = ({ workspaceId, agentId }: Launched): Promise<unknown> =>
    house.operator.commands.handle(
      agent,
      workspaceScoped(workspaceId, agentId),
      deleteAgent(agentId),
      optionsOf(workspaceId),
    );

  it('stops before its next batch, keeps its detections, and ends as completed_partial, wherever it died before', async () => {
    const measured = await launchOne();
    const { points } = await work(measured.work);
    const keptAt = new Set<number>();
    for (let point = 3; point <= points; point += 29) {
      const launched = await launchOne();
      const { died } = await work(launched.work, point);
      await deleteOf(launched);
      await work(launched.work);
      const kept = (await house.eventsAfter(launched.before)).filter(
        ({ type, metadata }) =>
          type === 'SignalDetected' && metadata['workspaceId'] === String(launched.workspaceId),
      ).length;
      keptAt.add(kept);
      const all = kept === archived.length;
      if (!died) expect(all).toBe(true);
      await expectEnded(house, launched, {
        outcome: all ? 'completed' : 'completed_partial',
        kept: archived.slice(0, kept),
        paid: archived.slice(0, kept),
        dropped: 0,
      });
    }
    // It was stopped before the first batch, between two, and not at all when nothing was left to search.
    expect([...keptAt].toSorted((left, right) => left - right)).toEqual([0, 50, 100, 120]);
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
    let [failed, released] = [0, 0];
    for (let point = 5; point <= 60; point += 9) {
      const workspaceId = await house.workspace({ mode: 'self' }, 500);
      const agentId = await house.agent(workspaceId);
      const launched = await house.launch(workspaceId, agentId, { keyword: 'ledgers' });
      await work(launched.work, point);
      const prepared = (await house.eventsAfter(launched.before)).filter(
        ({ type }) => type === 'BatchPrepared' || type === 'BatchCompleted',
      );
      await letCandidatesGo();
      expect((await work(launched.work)).died).toBe(false);
      const ended = (await house.eventsAfter(launched.before)).find(({ type }) => type === 'RunEnded');
      const money = await moneyOf(launched);
      if (prepared.at(-1)?.type === 'BatchPrepared') {
        failed += 1;
        expect(ended?.data).toMatchObject({ outcome: 'failed', matchesFound: 0, creditsSpent: '0' });
        expect(money).toMatchObject({ captured: [], recorded: [], released: money.held });
        released += money.released.length;
        const again = await house.launch(workspaceId, agentId, { keyword: 'ledgers' });
        await work(again.work);
        expect((await moneyOf(again)).recorded.length).toBeGreaterThan(0);
      } else {
        expect(money.captured).toEqual(money.recorded);
      }
    }
    expect(Math.min(failed, released)).toBeGreaterThan(0);
  });
});
