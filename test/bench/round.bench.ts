import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '#sqlite/open-database.js';
import { request, startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { KEYWORD_TEMPLATE } from '../support/signal-runs.js';
import { whileAskingBalance } from './ask-balance.js';
import { below, percentile, throughput, type Bench, type Measurement } from './bench.js';
import { memoryMib, workedMs } from './process-usage.js';
import { rebuiltAll } from './rebuild-all.js';
import { fillNetworkApart, FREQUENT_WORDS, LAST_MS } from './scale-network.js';
import { temporaryFolder } from './temporary-folder.js';
import { operator, untilReady } from './two-processes.bench.js';

/** The sizes of the goals: 307 workspaces with 1,515 setups that find 479,322 signals. Daily use takes a part. */
const WORKSPACES = Number(process.env['ROUND_WORKSPACES'] ?? 16);
export const SETUPS_OF_A_WORKSPACE = 5;
/** Posts in 90 days, the look-back of a first run. The word of a setup stands in every 200th of them. */
export const POSTS = 62_400;
const WHOLE_DETECTIONS = 479_322;
const WHOLE_WITHIN_S = 400;
const BALANCE_P50_MS = 5;
const BALANCE_P99_MS = 40;
const MEMORY_MIB = 600;
const CREATED_AT_ONCE = 8;
const CREDITS = 10_000_000;
const WEEK_MS = 7 * 86_400_000;
const BEFORE_THE_ROUND_MS = 60_000;
const LOOK_EVERY_MS = 250;
const GIVEN_UP_AFTER_MS = 1_800_000;

/**
 * Weekly setups of many workspaces that fall due in the same instant, in a service started like by `npm start`; then a
 * rebuild of all read models of its stores.
 */
export const roundBench: Bench = {
  name: 'round',
  async run() {
    // Other systems do not report the memory of a process.
    if (!existsSync('/proc/self/stat')) return [];
    const folder = temporaryFolder();
    return [...(await playRound(folder)), ...(await rebuiltAll(folder))];
  },
};

/** The round; its stores stay in the folder. */
async function playRound(folder: string): Promise<readonly Measurement[]> {
  await fillNetworkApart(join(folder, 'network.db'), POSTS);
  const environment = { NODE_ENV: 'production', CLOCK: 'manual', MONITORING_PASS: 'off' };
  const service = await startServiceProcess(folder, 'api,worker', environment);
  try {
    await untilReady(service);
    return await measured(service, join(folder, 'events.db'));
  } finally {
    await service.stop();
  }
}

async function measured(service: ServiceProcess, eventsPath: string): Promise<readonly Measurement[]> {
  const keys = await prepareRound(service, WORKSPACES, CREATED_AT_ONCE);
  const runs = WORKSPACES * SETUPS_OF_A_WORKSPACE;
  const counted = eventCounts(eventsPath);
  const idleMs = workedMs(service.pid);
  const startedAt = performance.now();
  const balances = await whileAskingBalance(service.url, keys[0] ?? '', async () => {
    // It answers when all due work is done; a client of Node waits for an answer at most 300 s.
    const answer = operator(service, 'clock.set', { now: new Date(LAST_MS).toISOString() });
    const answered = answer.catch(() => undefined);
    const until = performance.now() + GIVEN_UP_AFTER_MS;
    while (counted.next().ended < runs && performance.now() < until) await delay(LOOK_EVERY_MS);
    await answered;
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const processorS = (workedMs(service.pid) - idleMs) / 1_000;
  const { ended, detected, held } = counted.next();
  counted.close();
  const share = detected / WHOLE_DETECTIONS;
  const proof = `${ended} of ${runs} runs ended, ${detected} detections, ${held} of them paid, in ${seconds.toFixed(0)} s; ${((processorS / detected) * 1_000).toFixed(2)} ms of processor a detection`;
  const asked = `${balances.length} balance requests, one every 20 ms`;
  return [
    below(`a round of ${runs} weekly runs`, 's of the processor', processorS, WHOLE_WITHIN_S * share, proof),
    below('a balance request meanwhile, p50', 'ms', percentile(balances, 0.5), BALANCE_P50_MS, asked),
    below('a balance request meanwhile, p99', 'ms', percentile(balances, 0.99), BALANCE_P99_MS, asked),
    below('peak memory of the service', 'MiB', memoryMib(service.pid, 'VmHWM'), MEMORY_MIB, proof),
  ];
}

/** Workspaces whose setups all fall due at `LAST_MS`, a minute from the time that is set; returns their keys. */
export async function prepareRound(
  service: ServiceProcess,
  workspaces: number,
  atOnce: number,
): Promise<readonly string[]> {
  await operator(service, 'clock.set', { now: new Date(LAST_MS - WEEK_MS).toISOString() });
  const keys: string[] = [];
  await throughput(atOnce, workspaces, async (index) => {
    keys.push(await scheduledWorkspace(service, index));
  });
  // The hourly forecasts of the week before are not part of the round.
  await operator(service, 'clock.set', { now: new Date(LAST_MS - BEFORE_THE_ROUND_MS).toISOString() });
  return keys;
}

/**
 * A workspace whose setups run weekly from now on, each for one word, which other workspaces look for too; returns
 * its key.
 */
async function scheduledWorkspace(service: ServiceProcess, index: number): Promise<string> {
  const { api_key } = await operator(service, 'workspace.create', { name: 'Bench', credits: CREDITS });
  const call = async (route: string, body: object): Promise<void> => {
    const answer = await request(`${service.url}${route}`, api_key, body);
    if (answer?.status !== 201) throw new Error(`${route}: ${JSON.stringify(answer)}`);
  };
  await call('/api/v2/personas', { job_title: ['Engineer'], location: ['France'] });
  for (let setup = 0; setup < SETUPS_OF_A_WORKSPACE; setup += 1) {
    const place = (index * SETUPS_OF_A_WORKSPACE + setup) % FREQUENT_WORDS.length;
    await call('/api/v3/signal-setups', {
      signal_template_key: KEYWORD_TEMPLATE,
      parameters: { tracking_keywords: [FREQUENT_WORDS[place]] },
      schedule: { cadence: 'weekly' },
    });
  }
  return api_key;
}

type Counts = { readonly ended: number; readonly detected: number; readonly held: number };

/** Counts new events, reading each once. */
function eventCounts(path: string): { readonly next: () => Counts; readonly close: () => void } {
  const db = connect(path, true);
  const added = db.prepare(
    `SELECT name, count(*) AS count FROM recorded_events JOIN event_types ON event_types.id = type_id
     WHERE position > ? AND position <= ? GROUP BY name`,
  );
  const end = db.prepare('SELECT max(position) AS position FROM recorded_events');
  const sums = new Map<string, number>();
  let position = Number(end.get()?.['position'] ?? 0);
  const sumOf = (name: string): number => sums.get(name) ?? 0;
  return {
    next() {
      const upTo = Number(end.get()?.['position'] ?? 0);
      for (const { name, count } of added.all(position, upTo))
        sums.set(String(name), sumOf(String(name)) + Number(count));
      position = upTo;
      return {
        ended: sumOf('RunEnded'),
        detected: sumOf('SignalDetected'),
        held: sumOf('CreditsHeld'),
      };
    },
    close: () => db.close(),
  };
}
