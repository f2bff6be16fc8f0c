import { logProof, MOST_FAULTS, type LogFacts, type LogFault } from '#event-store/copy/log-proof.js';
import { eventsUpTo } from '#event-store/copy/bounded-log.js';
import { damagedRows, type DamagedRow } from '#event-store/sqlite/damaged-rows.js';
import { indexFaults } from '#event-store/sqlite/index-faults.js';
import { START, StoreUnusable, type EventStore } from '#kernel/ports/event-store.port.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import { progressOf, type OnLogProgress } from './backup-store.js';
import { openNamedEventStore, requireDatabase } from './open-event-store.js';
import { seals } from './seals.js';
import type { EventStoreUrl } from './settings.js';
import { allEvents } from './vocabularies.js';
import { whileOpen } from './while-open.js';

export type StoreCheck = {
  readonly facts: LogFacts;
  /** All faults, up to the first `MOST_FAULTS`. */
  readonly faults: readonly LogFault[];
};

/**
 * Checks a whole log: order, revisions, hash chains, identity, events that this version cannot decode, unreadable
 * rows, and the index of streams of a file. Throws `StoreUnusable` if the check itself is impossible.
 */
export async function checkStore(
  store: EventStoreUrl,
  onProgress: OnLogProgress = () => undefined,
): Promise<StoreCheck> {
  const proof = logProof(seals);
  const faults: LogFault[] = [];
  try {
    await whileOpen(
      () => openNamedEventStore('URL', store),
      (log) => proveEach(log, proof.add, faults, progressOf('reading', null, onProgress)),
    );
    if (store.kind === 'sqlite') faults.push(...(await faultsOfIndex(store.path)));
  } catch (error) {
    if (!(error instanceof StoreUnusable) || store.kind !== 'sqlite') throw error;
    // A file that is no database has no readable row.
    await requireDatabase(store.path);
    const damage = await damageOf(store.path).catch((unreadable: unknown) => {
      if (unreadable instanceof StoreUnusable) throw error;
      throw unreadable;
    });
    // A file of another program has no events that could be damaged.
    if (damage.length === 0) throw error;
    faults.push({ stream: null, revision: null, what: error.message }, ...damage);
  }
  const facts = proof.facts();
  return { facts, faults: [...facts.faults, ...faults].slice(0, MOST_FAULTS) };
}

async function proveEach(
  log: EventStore,
  add: ReturnType<typeof logProof>['add'],
  faults: LogFault[],
  report: (done: number) => void,
): Promise<void> {
  const end = await log.head();
  if (end === START) return;
  let done = 0;
  for await (const event of eventsUpTo(log, end)) {
    add(event);
    try {
      if (decodeEvent(allEvents, event) === null) throw new Error(`this version does not know ${event.type}`);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      faults.push({ stream: event.stream, revision: event.revision.toString(), what });
    }
    done += 1;
    report(done);
  }
}

function faultsOfIndex(path: string): Promise<readonly LogFault[]> {
  return firstFaults(indexFaults(path), ({ kind, position }) =>
    kind === 'not-indexed'
      ? `the event at ${position} is not in the index of streams`
      : `the index of streams names the event at ${position}, which does not exist`,
  );
}

/** The events of a damaged file that cannot be read, by stream. */
function damageOf(path: string): Promise<readonly LogFault[]> {
  return firstFaults(damagedRows(path), ({ position }) => `the event at ${position} cannot be read`);
}

async function firstFaults<Row extends DamagedRow>(
  rows: AsyncIterable<Row>,
  what: (row: Row) => string,
): Promise<readonly LogFault[]> {
  const found: LogFault[] = [];
  for await (const row of rows) {
    const { stream, revision } = row;
    found.push({ stream, revision: revision === null ? null : String(revision), what: what(row) });
    if (found.length >= MOST_FAULTS) break;
  }
  return found;
}
