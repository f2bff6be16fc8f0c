import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import { mortalEventStoreDb } from '../support/mortal-eventstoredb.js';
import { startTestService, type TestService } from '../support/service.js';
import { embeddedStores, openSignalHouse, type HouseStores } from '../support/signal-house.js';
import { percentile, processorMs, type Bench, type Measurement } from './bench.js';
import { paidRun, type PaidRun } from './paid-run.js';
import { runHoldClients } from './run-hold-clients.js';

const CLIENTS = 50;
const HOLDS_A_TURN = 3_000;
const TURNS = 3;
/** A hold and its capture or release. */
const COMMANDS_A_HOLD = 2;
const SPREADS = [1, 32];
const MOST = 1.6;
const MATCHES = 5_000;

type Load = {
  readonly service: TestService;
  readonly workspaceIds: readonly number[];
  /** Microseconds of the service's processor per command, by turn. */
  readonly costs: number[];
  readonly rates: number[];
  captured: number;
  mismatches: number;
};

/**
 * The cost of a command and of a match for the service with its events on EventStoreDB, beside the embedded store, in turns.
 * The fault server and the clients have separate processes, and the time of this process is that of the service.
 */
export const serverEventsBench: Bench = {
  name: 'server-events',
  async run() {
    const server = await mortalEventStoreDb();
    const onServer = await startTestService({
      NODE_ENV: 'production',
      EVENT_STORE_URL: server.url,
      CURSOR_SECRET: 'a secret of the benchmark',
    });
    const embedded = await startTestService({ NODE_ENV: 'production' });
    try {
      const lines: Measurement[] = [];
      for (const workspaces of SPREADS) {
        const loads = [await load(onServer, workspaces), await load(embedded, workspaces)] as const;
        for (let turn = 0; turn < TURNS; turn += 1) for (const each of loads) await oneTurn(each);
        lines.push(await lineOf(workspaces, ...loads));
      }
      return [...lines, await lineOfRuns()];
    } finally {
      await embedded.stop();
      await onServer.stop();
      await server.remove();
    }
  },
};

async function load(service: TestService, workspaces: number): Promise<Load> {
  const workspaceIds: number[] = [];
  while (workspaceIds.length < workspaces)
    workspaceIds.push((await service.workspace({ credits: 1_000_000 })).id);
  return { service, workspaceIds, costs: [], rates: [], captured: 0, mismatches: 0 };
}

async function oneTurn(load: Load): Promise<void> {
  const { service, workspaceIds } = load;
  const ms = await processorMs(async () => {
    const report = await runHoldClients({
      opsUrl: service.service.opsUrl ?? '',
      token: service.token,
      workspaceIds,
      clients: CLIENTS,
      holds: HOLDS_A_TURN,
    });
    load.rates.push(report.holdsPerSecond);
    load.captured += report.captured;
    load.mismatches += report.mismatches;
  });
  // The clients make a tenth more, which do not count in their report.
  load.costs.push((ms * 1_000) / (HOLDS_A_TURN * 1.1 * COMMANDS_A_HOLD));
}

async function lineOf(workspaces: number, onServer: Load, embedded: Load): Promise<Measurement> {
  const middle = (values: readonly number[]): number => percentile(values, 0.5);
  return {
    what: `processor of the service for a command, events on the fault server of EventStoreDB, ${CLIENTS} clients on ${workspaces} workspaces`,
    measured: middle(onServer.costs),
    unit: 'us',
    beside: 'events in the embedded store, alternating',
    besideValue: middle(embedded.costs),
    ratio: middle(onServer.costs.map((cost, turn) => cost / (embedded.costs[turn] ?? Number.NaN))),
    goal: { atMost: MOST },
    proof: `${await proofOf(onServer)}; ${middle(onServer.rates).toFixed(0)} and ${middle(embedded.rates).toFixed(0)} holds/s`,
  };
}

/** Whether ledger and read models agree with the clients. */
async function proofOf({ service, workspaceIds, captured, mismatches }: Load): Promise<string> {
  let sum = 0;
  let differing = 0;
  for (const workspaceId of workspaceIds) {
    const { body: asOf } = await service.ops('ledger.as_of', { workspace_id: workspaceId });
    const { body: verified } = await service.ops('ledger.verify', { workspace_id: workspaceId });
    sum += asOf.balance.captured;
    if (asOf.balance.held !== 0 || !verified.ok) differing += 1;
  }
  const agrees = sum === captured && differing === 0;
  return `${mismatches} mismatches; captured ${sum} of ${captured}; verify ${agrees ? 'ok' : 'DIFFERS'}`;
}

/** Runs of paid matches, in turns. */
async function lineOfRuns(): Promise<Measurement> {
  const pairs: { readonly onServer: PaidRun; readonly embedded: PaidRun }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1)
    pairs.push({ onServer: await runOn(storesOnServer), embedded: await runOn(embeddedStores) });
  const middle = (of: (pair: (typeof pairs)[number]) => number): number => percentile(pairs.map(of), 0.5);
  const cost = ({ processorMs: ms, shown }: PaidRun): number => (ms * 1_000) / shown;
  const rate = ({ elapsedMs, shown }: PaidRun): number => (shown * 1_000) / elapsedMs;
  const rates = [middle(({ onServer }) => rate(onServer)), middle(({ embedded }) => rate(embedded))];
  return {
    what: `processor of a process for a paid match of a run of ${MATCHES.toLocaleString('en')}, events on the fault server of EventStoreDB`,
    measured: middle(({ onServer }) => cost(onServer)),
    unit: 'us',
    beside: 'events in the embedded store, alternating',
    besideValue: middle(({ embedded }) => cost(embedded)),
    ratio: middle(({ onServer, embedded }) => cost(onServer) / cost(embedded)),
    goal: null,
    proof: `shown ${pairs.flatMap((pair) => [pair.onServer.shown, pair.embedded.shown]).join(', ')}; ${rates.map((each) => each.toFixed(0)).join(' and ')} matches/s`,
  };
}

async function runOn(stores: () => Promise<HouseStores>): Promise<PaidRun> {
  const house = await openSignalHouse(stores);
  try {
    return await paidRun(house, MATCHES);
  } finally {
    await house.close();
  }
}

/** Embedded stores with their events on a server of their own. */
async function storesOnServer(): Promise<HouseStores> {
  const { reads, network, close } = await embeddedStores();
  const server = await mortalEventStoreDb();
  const events = await openEventStoreDb({ url: server.url });
  return {
    events,
    reads,
    network,
    close: async () => {
      await events.close();
      await server.remove();
      await close();
    },
  };
}
