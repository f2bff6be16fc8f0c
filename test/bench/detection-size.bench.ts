import { connect } from '#sqlite/open-database.js';
import { isShortLived } from '#kernel/ports/short-lived.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { embeddedStores, openSignalHouse } from '../support/signal-house.js';
import type { Bench, Measurement } from './bench.js';
import { matchOf } from './matches.js';
import { seededText } from './seeded-text.js';

const MATCHES = 500;
const CREDITS = 10;
const KILOBYTE = 1_024;
/** The first measurement of the same run, in bytes a detection: events with their metadata, and read models. */
const EARLIER = { events: 9_912, readModels: 7_576 };
const GOAL = { events: 5.5 * KILOBYTE, readModels: 4.5 * KILOBYTE };
const NEVER = new AbortController().signal;

type Size = { readonly name: string; readonly bytes: number };

/** The stored size of one paid detection of a new person: bytes of its events, and of its documents and indexes. */
export const detectionSizeBench: Bench = {
  name: 'detection-size',
  async run() {
    const stores = await embeddedStores();
    const house = await openSignalHouse(async () => stores);
    const events = connect(stores.files.eventsPath, false);
    const views = connect(stores.files.readsPath, false);
    const eventSizes = (): readonly Size[] =>
      events
        .prepare(
          `SELECT event_types.name AS name, streams.name AS stream,
             sum(length(CAST(data AS BLOB)) + length(CAST(metadata AS BLOB))) AS bytes
           FROM recorded_events JOIN event_types ON event_types.id = type_id JOIN streams ON streams.id = stream_id
           GROUP BY 1, 2`,
        )
        .all()
        .filter(({ stream }) => !isShortLived(String(stream)))
        .map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) }));
    const pageSizes = (): readonly Size[] => {
      views.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return views
        .prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name')
        .all()
        .map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) }));
    };
    try {
      await house.ingest(Array.from({ length: MATCHES }, (_, index) => match(index, house.now())).flat());
      const workspaceId = await house.workspace({ mode: 'self' }, MATCHES * CREDITS);
      const agentId = await house.agent(workspaceId);
      const { work } = await house.launch(workspaceId, agentId, { keyword: 'ledgers' });
      await house.caughtUp();
      const [eventsBefore, pagesBefore] = [eventSizes(), pageSizes()];
      await executeSignalRun.act(house.worker(), work, NEVER);
      await house.caughtUp();
      return [
        measurement('events, those that stay in the log', grown(eventsBefore, eventSizes()), {
          earlier: EARLIER.events,
          goal: GOAL.events,
        }),
        measurement('read models, documents and indexes', grown(pagesBefore, pageSizes()), {
          earlier: EARLIER.readModels,
          goal: GOAL.readModels,
        }),
      ];
    } finally {
      events.close();
      views.close();
      await house.close();
    }
  },
};

/** Bytes of one detection by name, the largest first. */
function grown(before: readonly Size[], after: readonly Size[]): readonly Size[] {
  const sums = new Map<string, number>();
  for (const { name, bytes } of after) sums.set(name, (sums.get(name) ?? 0) + bytes);
  for (const { name, bytes } of before) sums.set(name, (sums.get(name) ?? 0) - bytes);
  return [...sums]
    .map(([name, bytes]) => ({ name, bytes: Math.round(bytes / MATCHES) }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((left, right) => right.bytes - left.bytes);
}

function measurement(
  what: string,
  sizes: readonly Size[],
  { earlier, goal }: { readonly earlier: number; readonly goal: number },
): Measurement {
  return {
    what: `a paid detection of a new person: ${what}`,
    measured: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    unit: 'bytes',
    beside: 'at the first measurement',
    besideValue: earlier,
    goal: { atMost: goal / earlier },
    proof: sizes
      .slice(0, 12)
      .map(({ name, bytes }) => `${name} ${bytes}`)
      .join(', '),
  };
}

/** A person at a company, and a post of sixty words. */
function match(index: number, now: Date): readonly object[] {
  const { words } = seededText(index);
  const company = {
    industry: 'Software',
    employees: 100 + index,
    employee_range: '51-200',
    tagline: words(8),
    activity_summary: words(25),
    locations: [{ is_hq: true, city: 'Paris', country: 'France', country_code: 'FR' }],
  };
  return matchOf(index, now, `Some words about ledgers and more. ${words(60)}`, {
    company,
    experiences: [{ title: 'Sales Manager', start_date: '2020-03', end_date: '2024-02' }],
    post: { url: `https://network.example/posts/${index}` },
  });
}
