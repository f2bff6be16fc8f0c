import { performance } from 'node:perf_hooks';
import { fromStored } from '#kernel/values/credits.js';
import { creditBalances } from '#projections/ledger/credit-balances/credit-balances.projection.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { startTestService, type TestWorkspace } from '../support/service.js';
import { below, percentile, throughput, timed, type Bench, type Measurement } from './bench.js';

/** The size of the goal of renewals is 200,000. Setting up takes longer than renewing; daily use takes a part. */
const UNITS = Number(process.env['MONITORED_UNITS'] ?? 10_000);
const WORKSPACES = 20;
/** One workspace has a tenth of all units. */
const LARGE = UNITS / 10;
const RENEWED_A_SECOND = 4_000;
const LIMIT_OTHER_MS = 50;
const LIMIT_LAG_MS = 2_000;
const LIMIT_PUT_MS = 1_000;
const MEMBERS = 1_000;
const MEMBERS_A_REQUEST = 100;
const SET_UP_AT_ONCE = 4;
const ASK_EVERY_MS = 20;
const LOOK_EVERY_MS = 50;
/** After it every month that began before has ended. */
const LONGEST_MONTH_MS = 31 * 86_400_000;
const CREDITS = 100_000_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A list of so many new companies that is not monitored yet; returns its path. */
async function listOf(workspace: TestWorkspace, members: number): Promise<string> {
  const created = await workspace.call('POST /api/v2/lists', { type: 'customer', name: 'Key' });
  const path = `lists/company/${created.body.data.id}`;
  for (let first = 0; first < members; first += MEMBERS_A_REQUEST) {
    const handles = Array.from({ length: Math.min(MEMBERS_A_REQUEST, members - first) }, (_, index) => ({
      network_handle: `member-${path.replaceAll('/', '-')}-${first + index}`,
    }));
    await workspace.call(`POST /api/v2/${path}/members`, { members: handles });
  }
  return path;
}

async function monitorsFrom(workspace: TestWorkspace, path: string): Promise<unknown> {
  const { body } = await workspace.call(`PUT /api/v3/${path}`, { signal_buckets: ['essential'] });
  return body.data.monitored_count;
}

const addPersona = (workspace: TestWorkspace) =>
  workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });

/** A request that monitors a list of a thousand members, all new to the network. */
async function startThousand(): Promise<Measurement> {
  const service = await startTestService({ NODE_ENV: 'production' });
  const workspace = await service.workspace({ credits: CREDITS });
  await addPersona(workspace);
  const path = await listOf(workspace, MEMBERS);
  await service.ops('work.drain');
  let count: unknown = null;
  const cpuBefore = process.cpuUsage();
  const putMs = await timed(async () => {
    count = await monitorsFrom(workspace, path);
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  const { body } = await workspace.call('GET /api/v3/account-monitoring');
  await service.stop();
  return below(
    `PUT that starts ${MEMBERS} units`,
    'ms',
    putMs,
    LIMIT_PUT_MS,
    `monitored_count ${count}; the summary says ${body.data.monitored_count}; ${Math.round((user + system) / 1_000)} ms of processor`,
  );
}

type Renewed = {
  /** Renewed months in a second of the processor. */
  readonly aSecond: number;
  /** Time until the second workspace had its months. */
  readonly secondMs: number;
  readonly p99Ms: number;
  readonly proof: string;
};

/** Workspaces that monitor so many accounts each, all of whose months have just ended. */
async function renew(sizes: readonly number[]): Promise<Renewed> {
  let aheadMs = 0;
  const service = await startTestService({ NODE_ENV: 'production', MONITORING_PASS: 'off' }, undefined, {
    clock: { now: () => new Date(Date.now() + aheadMs) },
  });
  const { host } = service.service;
  const workspaces: (TestWorkspace & { readonly size: number })[] = [];
  for (const size of sizes) workspaces.push({ ...(await service.workspace({ credits: CREDITS })), size });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const setUpMs = await timed(() =>
    throughput(SET_UP_AT_ONCE, workspaces.length, async (index) => {
      const workspace = workspaces[index];
      if (workspace === undefined) return;
      await addPersona(workspace);
      for (let first = 0; first < workspace.size; first += MEMBERS)
        await monitorsFrom(workspace, await listOf(workspace, Math.min(MEMBERS, workspace.size - first)));
    }),
  );
  await service.ops('work.drain');
  const paid = async (): Promise<bigint> => {
    const balances = await host.readModels.getMany(
      creditBalances,
      workspaces.map(({ id }) => String(id)),
    );
    return [...balances.values()].reduce((sum, { captured }) => sum + fromStored(captured), 0n);
  };
  const paidBefore = await paid();
  const second = workspaces[1];
  const isAnyDue = async (where: object = {}): Promise<boolean> => {
    // Found by an index, because the process that pays answers it.
    const due = {
      status: 'monitored',
      rests: null,
      lapsesAt: { lte: host.clock.now().toISOString() },
      ...where,
    };
    const sort = [
      ['lapsesAt', 'asc'],
      ['unit', 'asc'],
    ] as const;
    return (await host.readModels.find(monitoredUnits, { where: due, sort, limit: 1 })).length > 0;
  };
  const times: number[] = [];
  let secondMs: number | null = null;
  const cpuBefore = process.cpuUsage();
  aheadMs = LONGEST_MONTH_MS;
  const startedAt = performance.now();
  let lookedAt = startedAt;
  for (let isOver = false; !isOver;) {
    times.push(await timed(() => second?.call('GET /api/v3/account-monitoring')));
    await pause(ASK_EVERY_MS);
    if (performance.now() - lookedAt < LOOK_EVERY_MS) continue;
    if (secondMs === null && !(await isAnyDue({ workspaceId: second?.id }))) {
      secondMs = performance.now() - startedAt;
    }
    isOver = secondMs !== null && !(await isAnyDue());
    lookedAt = performance.now();
  }
  const renewedS = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const processorS = (user + system) / 1e6;
  await service.ops('work.drain');
  const twice = (await paid()) === 2n * paidBefore;
  const covered = await host.readModels.count(monitoredUnits, {
    where: { status: 'monitored', lapsesAt: { gt: host.clock.now().toISOString() } },
  });
  await service.stop();
  return {
    aSecond: total / processorS,
    secondMs: secondMs ?? Number.NaN,
    p99Ms: percentile(times, 0.99),
    proof: `${covered} units covered of ${total}, paid as much as for the first month: ${twice}; ${renewedS.toFixed(1)} s, ${processorS.toFixed(1)} s of processor with ${times.length} other requests; set up in ${(setUpMs / 1_000).toFixed(0)} s`,
  };
}

/** One workspace has a tenth of all units and one a single unit; the others share the rest. */
function sizesOf(): readonly number[] {
  const others = WORKSPACES - 2;
  const rest = UNITS - LARGE - 1;
  return [LARGE, 1, ...Array.from({ length: others }, (_, index) => Math.floor((rest + index) / others))];
}

export const monitoringBench: Bench = {
  name: 'monitoring',
  async run() {
    const put = await startThousand();
    const two = await renew([LARGE, 1]);
    const many = await renew(sizesOf());
    return [
      put,
      below(
        `a single unit beside ${LARGE} of another workspace, until its month is paid`,
        'ms',
        two.secondMs,
        LIMIT_LAG_MS,
        two.proof,
      ),
      {
        what: `${UNITS} units of ${WORKSPACES} workspaces whose months end at the same time`,
        measured: many.aSecond,
        unit: 'months a second of processor',
        beside: 'limit',
        besideValue: RENEWED_A_SECOND,
        goal: { atLeast: 1 },
        proof: many.proof,
      },
      {
        what: 'the workspace with a single one of them, until its month is paid',
        measured: many.secondMs,
        unit: 'ms',
        beside: 'limit',
        besideValue: LIMIT_LAG_MS,
        goal: null,
        proof: many.proof,
      },
      below(
        'p99 of another request meanwhile, in the same process',
        'ms',
        many.p99Ms,
        LIMIT_OTHER_MS,
        many.proof,
      ),
    ];
  },
};
