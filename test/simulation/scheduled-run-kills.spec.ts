import { workspaceScoped } from '#kernel/commands/decider.js';
import { agent } from '#signals/domain/agents/agent.js';
import { createAgent } from '#signals/domain/agents/create-agent.js';
import { launchScheduledRuns } from '#signals/runs/launch-scheduled-runs.process.js';
import { isWaiting } from '#process-engine/process.js';
import { dueItems, nextDueAt } from '#process-engine/to-do.js';
import { applyCatalogue } from '#catalogue/commands/apply-catalogue.js';
import { shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { killedAt } from '../support/killed-points.js';
import { untilDeath, type Lived } from '../support/mortal.js';
import { sharedHouse } from '../support/signal-house.js';
import { systemContext } from '../support/system-context.js';
import { eventsOf } from '../support/event-stores.js';

const WEEK_MS = 7 * 86_400_000;
const NEVER = new AbortController().signal;

type Schedule = Parameters<typeof launchScheduledRuns.act>[1];
type Scheduled = { readonly workspaceId: number; readonly agentId: number; readonly anchorMs: number };

const house = sharedHouse(({ operator }) =>
  // Prices come with the catalogue.
  applyCatalogue(operator, shippedCatalogue(), false, systemContext(null)),
);

/** A workspace with an agent whose schedule was switched on now. */
async function scheduledAgent(credits = 500): Promise<Scheduled> {
  const workspaceId = await house.workspace({ mode: 'self' }, credits);
  const agentId = await house.operator.ids.next('agent');
  const anchorMs = house.now().getTime();
  const created = createAgent({
    agentId,
    type: 'keyword_post_search',
    name: 'Scheduled',
    parameters: { tracking_keywords: ['ledgers'] },
    schedule: { anchorAt: new Date(anchorMs).toISOString() },
  });
  await house.decide(workspaceId, agent, workspaceScoped(workspaceId, agentId), created);
  return { workspaceId, agentId, anchorMs };
}

/** The due work of this agent, as a worker finds it now. */
async function dueFor({ agentId }: Scheduled): Promise<readonly Schedule[]> {
  await house.caughtUp();
  const due = await dueItems(house.reads, launchScheduledRuns.toDo, house.now(), 1_000);
  return due.filter(({ ownerId }) => ownerId === agentId);
}

const workUntil = ({ schedule }: { readonly schedule: Schedule }, fatalPoint: number): Promise<Lived> =>
  untilDeath(fatalPoint, (life) => launchScheduledRuns.act(house.worker(life), schedule, NEVER));

/** Launches and ticks on the agent's stream, in order. */
async function recorded({ workspaceId, agentId }: Scheduled): Promise<readonly string[]> {
  const events = await eventsOf(house.events, `agent-${workspaceId}_${agentId}`);
  return events.flatMap(({ type, data }) => {
    if (type === 'RunLaunched') return ['launched'];
    return type === 'ScheduleTicked' ? [`${String(data['dueAt'])} ${String(data['reason'])}`] : [];
  });
}
const weekOf = ({ anchorMs }: Scheduled, week: number): string =>
  new Date(anchorMs + week * WEEK_MS).toISOString();

describe('a run that is due by schedule', () => {
  it('OP-17 is launched once, wherever its worker died, and however often it is continued', async () => {
    await killedAt({
      morePointsThan: 10,
      async begin() {
        const scheduled = await scheduledAgent();
        house.advance(WEEK_MS);
        const [schedule, ...others] = await dueFor(scheduled);
        if (schedule === undefined) throw new Error('nothing is due');
        expect(others).toEqual([]);
        return { ...scheduled, schedule };
      },
      workUntil,
      async finish({ schedule }) {
        // Two workers find it in the to-do model before their events are projected there.
        const again = await Promise.all([
          workUntil({ schedule }, Infinity),
          workUntil({ schedule }, Infinity),
        ]);
        expect(again.map(({ died }) => died)).toEqual([false, false]);
      },
      async check(scheduled) {
        expect(await recorded(scheduled)).toEqual(['launched', `${weekOf(scheduled, 1)} null`]);
        expect(await dueFor(scheduled)).toEqual([]);
      },
    });
  });

  it('OP-17 is made up for once after a long downtime, and later runs are counted from the anchor', async () => {
    const scheduled = await scheduledAgent();
    house.advance(3 * WEEK_MS + 86_400_000);
    const [schedule] = await dueFor(scheduled);
    if (schedule === undefined) throw new Error('nothing is due');
    expect(schedule.dueAt).toBe(weekOf(scheduled, 1));
    await launchScheduledRuns.act(house.worker(), schedule, NEVER);
    expect(await recorded(scheduled)).toEqual(['launched', `${weekOf(scheduled, 3)} null`]);
    expect(await dueFor(scheduled)).toEqual([]);
    const next = await nextDueAt(house.reads, launchScheduledRuns.toDo, house.now());
    expect(next?.toISOString()).toBe(weekOf(scheduled, 4));
  });

  it('OP-17 is skipped while a run is in progress, and comes a week later', async () => {
    const scheduled = await scheduledAgent();
    for (const week of [1, 2]) {
      house.advance(WEEK_MS);
      const [schedule] = await dueFor(scheduled);
      if (schedule === undefined) throw new Error(`nothing is due in week ${week}`);
      await launchScheduledRuns.act(house.worker(), schedule, NEVER);
    }
    expect(await recorded(scheduled)).toEqual([
      'launched',
      `${weekOf(scheduled, 1)} null`,
      `${weekOf(scheduled, 2)} already-running`,
    ]);
    expect(await dueFor(scheduled)).toEqual([]);
  });

  it('waits while its models are parked for the workspace', async () => {
    const scheduled = await scheduledAgent();
    house.advance(WEEK_MS);
    const [schedule] = await dueFor(scheduled);
    if (schedule === undefined) throw new Error('nothing is due');
    const { workspaceId } = schedule;
    expect(await isWaiting(house.worker(), launchScheduledRuns, workspaceId)).toBe(false);
    for (const name of ['schedules', 'signal-run-work']) {
      const parked = house.worker(undefined, { isParked: async (view) => view === name });
      expect(await isWaiting(parked, launchScheduledRuns, workspaceId)).toBe(true);
    }
  });
});
