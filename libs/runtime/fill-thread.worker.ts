import { parentPort, workerData } from 'node:worker_threads';
import { decodeEvent } from '#kernel/events/event-codec.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { fillHere, type AwayStanding } from '#projection-engine/fill-elsewhere.js';
import { LogChanged } from '#projection-engine/project-batch.js';
import { projections } from '#projections/index.js';
import { carried } from '#read-store/sqlite/fill-messages.js';
import { openThreadReadStore } from '#read-store/sqlite/open-thread-read-store.js';
import type { AwayFailure, AwayOrder, AwayReport } from './fill-thread.js';
import { allEvents } from './vocabularies.js';
import { whileOpen } from './while-open.js';

const REPORT_EVERY_MS = 100;

const order: AwayOrder = workerData;
const { eventsPath, readsPath, turns, ...work } = order;
const stopping = new AbortController();
parentPort?.on('message', () => stopping.abort());

const report = (one: AwayReport): void => parentPort?.postMessage(one);

function fill(): Promise<readonly AwayStanding[]> {
  return whileOpen(
    () => openSqliteEventStore({ path: eventsPath, isBeside: true }),
    (events) =>
      whileOpen(
        () => openThreadReadStore(readsPath, turns),
        (reads) => {
          const decode: Parameters<typeof fillHere>[0]['decode'] = (stored) => decodeEvent(allEvents, stored);
          const context = { events, reads, decode, projections, heldMs: reads.heldMs };
          return fillHere(context, work, stopping.signal, progressReporter());
        },
      ),
  );
}

function progressReporter(): (standings: () => readonly AwayStanding[]) => void {
  let reportedAtMs = performance.now();
  return (standings) => {
    if (performance.now() - reportedAtMs < REPORT_EVERY_MS) return;
    reportedAtMs = performance.now();
    report({ kind: 'reached', standings: standings() });
  };
}

function failureOf(error: unknown): AwayFailure {
  return error instanceof LogChanged ? 'LOG CHANGED' : carried(error);
}

report(
  await fill().then(
    (standings) => ({ kind: 'done', standings }),
    (error: unknown) => ({ kind: 'failed', error: failureOf(error) }),
  ),
);
parentPort?.close();
