import { join } from 'node:path';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { JsonValue } from '#kernel/values/json.js';
import type { NetworkStore } from '#network/network-store.js';
import type { ReadPosition } from '#network/network-source.port.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import type { Detector } from '#signals/detection/detector.js';
import { keywordPostDetector } from '#signals/detection/keyword-post.detector.js';
import { newHireDetector } from '#signals/detection/new-hire.detector.js';
import { sampleRun, type SampleRun } from '#signals/detection/testing/sample-run.js';
import { connect } from '#sqlite/open-database.js';
import { percentile, processorMs, type Bench, type Measurement } from './bench.js';
import { EMOJI, fillNetworkApart, FIRST_MS, FREQUENT_WORDS, LAST_MS } from './scale-network.js';
import { temporaryFolder } from './temporary-folder.js';

const PAGE = 128;
const PAGES = 5;
const BATCH = 50;
const TURNS = 5;
const LATE_MS = LAST_MS - 3 * 86_400_000;
/** The size in the table of docs/performance.md; daily use takes a tenth, `SCALE_POSTS=1000000` all. */
const WHOLE = 1_000_000;
const POSTS = Number(process.env['SCALE_POSTS'] ?? WHOLE / 10);

/** Reads page after page to the end, like a run; returns its finds. */
async function runOf(
  detector: Detector,
  { source, directory }: NetworkStore,
  run: SampleRun,
): Promise<number> {
  const read = sampleRun({
    now: new Date(LAST_MS),
    lookbackDays: 90,
    ...run,
    source,
    directory,
    watched: { members: async () => null, accounts: async () => null },
  });
  let found = 0;
  for (let resume: JsonValue = null; ;) {
    const page = await detector.find(read, resume, BATCH);
    found += page.matches.length;
    if (!page.more) return found;
    resume = page.resume;
  }
}

/** Five pages of the frequent words, read from a moment on. */
async function pagesFrom({ source }: NetworkStore, fromMs: number): Promise<number> {
  const window = { after: new Date(fromMs - 1), until: new Date(LAST_MS), keywords: FREQUENT_WORDS };
  let position: ReadPosition | null = null;
  let found = 0;
  for (let page = 0; page < PAGES; page += 1) {
    const { items, next }: Awaited<ReturnType<typeof source.posts>> = await source.posts({
      ...window,
      position,
      limit: PAGE,
    });
    found += items.length;
    if (next === null) break;
    position = next;
  }
  return found;
}

/** All posts by one indexed read, parsed. */
function plainReading(db: DatabaseSyncInstance): number {
  const rows = db
    .prepare(`SELECT body FROM observation WHERE kind = 'post' AND at >= ? AND at <= ? ORDER BY at, ref`)
    .iterate(FIRST_MS, LAST_MS);
  let read = 0;
  for (const { body } of rows as Iterable<{ readonly body: string }>) {
    JSON.parse(body);
    read += 1;
  }
  return read;
}

type Standstill = { readonly longestMs: number; readonly garbageMs: number };

/** The longest time for which the event loop was blocked during the work, and the longest collection of garbage. */
async function standstill(work: () => Promise<unknown>): Promise<Standstill> {
  let garbageMs = 0;
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) garbageMs = Math.max(garbageMs, duration);
  });
  collections.observe({ entryTypes: ['gc'] });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  // The first and the last beat of the monitor are part of its measurement.
  await pause(5);
  await work();
  await pause(5);
  delay.disable();
  collections.disconnect();
  return { longestMs: delay.max / 1e6, garbageMs };
}

async function medianOfTurns(work: () => Promise<unknown>, turns = TURNS): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn <= turns; turn += 1) {
    const ms = await processorMs(work);
    if (turn > 0) times.push(ms);
  }
  return percentile(times, 0.5);
}

async function scale(): Promise<readonly Measurement[]> {
  const folder = temporaryFolder();
  const path = join(folder, 'network.db');
  const filledMs = await fillNetworkApart(path, POSTS);
  const store = await openSqliteNetwork({ path, networkBaseUrl: 'https://n.example' });
  const db = connect(path, false);
  try {
    return await measured(store, db, filledMs);
  } finally {
    db.close();
    await store.close();
  }
}

async function measured(
  store: NetworkStore,
  db: DatabaseSyncInstance,
  filledMs: number,
): Promise<readonly Measurement[]> {
  const share = POSTS / WHOLE;
  const size = `${POSTS.toLocaleString('en')} posts in 90 days`;
  let read = 0;
  const readingMs = await medianOfTurns(async () => (read = plainReading(db)), 1);
  let [early, late] = [0, 0];
  const earlyMs = await medianOfTurns(async () => (early = await pagesFrom(store, FIRST_MS)));
  const latePages = async (): Promise<number> => (late = await pagesFrom(store, LATE_MS));
  const lateCold = await standstill(latePages);
  let lateMs = 0;
  const lateStill = await standstill(async () => (lateMs = await medianOfTurns(latePages)));
  let foundByRun = 0;
  const nobody = { tracking_keywords: [...FREQUENT_WORDS], filter_authors: true, author_roles: ['nobody'] };
  const oneRun = async (): Promise<number> =>
    (foundByRun = await runOf(keywordPostDetector, store, { parameters: nobody }));
  const runCold = await standstill(oneRun);
  let runMs = 0;
  const runStill = await standstill(async () => (runMs = await processorMs(oneRun)));
  let withEmoji = 0;
  const emoji = { tracking_keywords: [EMOJI] };
  const emojiMs = await medianOfTurns(
    async () => (withEmoji = await runOf(keywordPostDetector, store, { parameters: emoji })),
    1,
  );
  let hired = 0;
  const persona = {
    personaId: 1,
    jobTitles: ['astronaut'],
    excludeJobTitles: [],
    locations: [],
    seniorities: [],
    headcounts: [],
    industries: [],
  };
  const hireMs = await medianOfTurns(
    async () =>
      (hired = await runOf(newHireDetector, store, {
        signalTypes: ['newJob'],
        persona,
      })),
  );
  const line = { unit: 'ms of the processor' };
  return [
    {
      ...line,
      what: `five pages of 50 words at the end of ${size}`,
      measured: lateMs,
      beside: 'five pages at their beginning',
      besideValue: earlyMs,
      goal: { atMost: 1.5 },
      proof: `${late} and ${early} posts; ${blockedFor(lateStill, lateCold)}; filled in ${(filledMs / 1_000).toFixed(1)} s of the processor`,
    },
    {
      ...line,
      what: `a run of 50 words in 22 of 100 of ${size}, none of which passes`,
      measured: runMs,
      beside: 'the goal at this size',
      besideValue: 15_000 * share,
      goal: { atMost: 1 },
      proof: `${foundByRun} found; reading all ${read} posts plainly: ${readingMs.toFixed(0)} ms; ${blockedFor(runStill, runCold)}`,
    },
    {
      ...line,
      what: `a keyword without word characters in ${size}`,
      measured: emojiMs,
      beside: 'the goal at this size',
      besideValue: 500 * share,
      goal: { atMost: 1 },
      proof: `${withEmoji} found`,
    },
    {
      ...line,
      what: `new hires without a matching title, among the moves of ${size}`,
      measured: hireMs,
      beside: 'the goal at this size',
      besideValue: 50 * share,
      goal: { atMost: 1 },
      proof: `${hired} found`,
    },
  ];
}

const blockedFor = (again: Standstill, first: Standstill): string =>
  `the event loop was blocked for at most ${shown(again)}; the first time ${shown(first)}`;

const shown = ({ longestMs, garbageMs }: Standstill): string =>
  `${longestMs.toFixed(1)} ms, collecting garbage for ${garbageMs.toFixed(1)} ms`;

export const scaleBench: Bench = { name: 'scale', run: scale };
