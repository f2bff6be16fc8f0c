import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { partitionLease, PARTITIONS } from '#process-engine/partitions.js';
import { holderOf } from '#projection-engine/held-lease.js';
import { openMongoReadStore } from '#read-store/mongodb/open-mongo-read-store.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { dropDatabase, freshDatabaseUrl } from '../contract/mongo-read-store.fixture.js';
import { mortalEventStoreDb } from '../support/mortal-eventstoredb.js';
import { request, startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { throughput, type Bench } from './bench.js';
import { workedMs } from './process-usage.js';
import { CREATED_AT_ONCE, fillNetwork, scheduledWorkspace, WEEK_MS } from './round.bench.js';
import { LAST_MS } from './scale-network.js';
import { temporaryFolder } from './temporary-folder.js';
import { operator, untilReady } from './two-processes.bench.js';

const WORKSPACES = 16;
/** In 90 days. The word of a setup stands in every 200th of them. */
const POSTS = 1_600;
const PROCESSES = 4;
const MOST = 1.6;
const LOOK_EVERY_MS = 100;

type Shared = {
  readonly processorMs: number;
  readonly ofEach: readonly number[];
  readonly seconds: number;
  readonly detections: number;
};

/**
 * The same round of weekly runs in one process and in four: the processor time of all processes together. Events are on
 * the fault server of EventStoreDB, read models on the server that TEST_READ_STORE_URL names, else in a file that all
 * processes open, as the observed network is. The servers' own time is not counted.
 */
export const sharedWorkBench: Bench = {
  name: 'shared-work',
  async run() {
    // Other systems tell no time of a process.
    if (!existsSync('/proc/self/stat')) return [];
    const alone = await round(1);
    const shared = await round(PROCESSES);
    const shown = ({ ofEach, seconds }: Shared): string =>
      `${ofEach.map((ms) => (ms / 1_000).toFixed(1)).join(', ')} s in ${seconds.toFixed(0)} s`;
    const where = process.env['TEST_READ_STORE_SERVER'] ?? 'a file';
    return [
      {
        what: `a round of ${WORKSPACES * 5} weekly runs shared by ${PROCESSES} processes, events on the fault server, read models in ${where}`,
        measured: shared.processorMs / 1_000,
        unit: 's of the processor',
        beside: 'one process',
        besideValue: alone.processorMs / 1_000,
        goal: { atMost: MOST },
        proof: `${alone.detections} and ${shared.detections} detections; ${shown(alone)}; ${shown(shared)}`,
      },
    ];
  },
};

async function round(processes: number): Promise<Shared> {
  const folder = temporaryFolder();
  const events = await mortalEventStoreDb();
  const named = process.env['TEST_READ_STORE_URL'];
  const readStoreUrl = named ? freshDatabaseUrl(named) : null;
  const services: ServiceProcess[] = [];
  try {
    await fillNetwork(join(folder.path, 'network.db'), POSTS);
    const environment = {
      NODE_ENV: 'production',
      CLOCK: 'manual',
      MONITORING_PASS: 'off',
      CURSOR_SECRET: 'a secret of the benchmark',
      EVENT_STORE_URL: events.url,
      READ_STORE_URL: readStoreUrl ?? '',
      NETWORK_STORE_URL: '',
    };
    const serving = await startServiceProcess(folder.path, 'api,worker', environment);
    services.push(serving);
    await untilReady(serving);
    while (services.length < processes)
      services.push(await startServiceProcess(folder.path, 'worker', environment));
    const reads = await (readStoreUrl === null
      ? openSqliteReadStore({ path: join(folder.path, 'views.db') })
      : openMongoReadStore({ url: readStoreUrl }));
    while (!(await isShared(reads, processes))) await delay(LOOK_EVERY_MS);
    await reads.close();
    return await measured(serving, services);
  } finally {
    for (const service of services) await service.stop();
    await events.remove();
    if (readStoreUrl !== null) await dropDatabase(readStoreUrl);
    folder.remove();
  }
}

/** Whether so many processes hold all partitions, each as many. */
async function isShared(reads: ReadStore, processes: number): Promise<boolean> {
  const counts = new Map<string | null, number>();
  for (let number = 0; number < PARTITIONS; number += 1) {
    const holder = holderOf(await reads.lease(partitionLease(number)));
    counts.set(holder, (counts.get(holder) ?? 0) + 1);
  }
  return (
    counts.size === processes && !counts.has(null) && Math.max(...counts.values()) === PARTITIONS / processes
  );
}

async function measured(serving: ServiceProcess, services: readonly ServiceProcess[]): Promise<Shared> {
  await operator(serving, 'clock.set', { now: new Date(LAST_MS - WEEK_MS).toISOString() });
  const keys: string[] = [];
  await throughput(CREATED_AT_ONCE, WORKSPACES, async (index) => {
    keys.push(await scheduledWorkspace(serving, index));
  });
  await operator(serving, 'work.drain', {});
  const worked = (): readonly number[] => services.map(({ pid }) => workedMs(pid));
  const before = worked();
  const startedAt = performance.now();
  await operator(serving, 'clock.set', { now: new Date(LAST_MS).toISOString() });
  await operator(serving, 'work.drain', {});
  const seconds = (performance.now() - startedAt) / 1_000;
  const ofEach = worked().map((ms, place) => ms - (before[place] ?? 0));
  let detections = 0;
  for (const key of keys) {
    const counted = await request(`${serving.url}/api/v2/workspace/signals/count`, key, {});
    detections += Number(counted?.body.data.count);
  }
  return { processorMs: ofEach.reduce((sum, ms) => sum + ms, 0), ofEach, seconds, detections };
}
