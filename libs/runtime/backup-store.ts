import { eventsUpTo } from '#event-store/copy/bounded-log.js';
import { wavesAtOnce } from '#event-store/copy/copy-ends.js';
import { copyDiffers } from '#event-store/copy/copy-refusals.js';
import { shortLivedStreams } from '#event-store/copy/lasting-events.js';
import { logProof, type LogFacts, type LogProof } from '#event-store/copy/log-proof.js';
import { writeEvents } from '#event-store/copy/write-events.js';
import { positionNumber } from '#event-store/sqlite/position-text.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { START, type EventStore, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import { openNamedEventStore } from './open-event-store.js';
import { seals } from './seals.js';
import type { EventStoreUrl } from './settings.js';
import { finishAfter, requireFreeName, withUnfinishedFile, type OtherBackups } from './unfinished-file.js';
import { whileOpen } from './while-open.js';

export type LogProgress = {
  readonly phase: 'writing' | 'reading back' | 'comparing' | 'reading';
  readonly done: number;
  /** null if unknown. */
  readonly total: number | null;
  readonly perSecond: number;
};
export type OnLogProgress = (progress: LogProgress) => void;

/**
 * Writes all current events of a store into a new file, itself an SQLite event store, while the store accepts writes.
 * The file gets its name only after it was closed, read back and found equal, and `others` have been written.
 * Throws `backupExists`, and as `writeEvents`.
 */
export async function backupStore(
  from: EventStoreUrl,
  file: string,
  onProgress: OnLogProgress = () => undefined,
  others?: OtherBackups,
): Promise<LogFacts> {
  requireFreeName(file);
  return whileOpen(
    () => openNamedEventStore('--from', from),
    async (source) => {
      const end = await source.head();
      const total = from.kind === 'sqlite' ? positionNumber(end) : null;
      return withUnfinishedFile(file, async (unfinished) => {
        const written = await writeFile(
          source,
          end,
          unfinished.path,
          progressOf('writing', total, onProgress),
        );
        const found = await readFacts(
          unfinished.path,
          progressOf('reading back', written.events, onProgress),
        );
        if (found.sha256 !== written.sha256) throw copyDiffers();
        await finishAfter(others, unfinished);
        return found;
      });
    },
  );
}

async function writeFile(
  source: EventStore,
  end: Position,
  path: string,
  report: (done: number) => void,
): Promise<LogFacts> {
  const proof = logProof(seals);
  await whileOpen(
    () => openSqliteEventStore({ path }),
    async (destination) => {
      if (end !== START)
        await writeEvents(
          shortLivedStreams().carried(proven(eventsUpTo(source, end), proof)),
          wavesAtOnce(destination),
          report,
        );
    },
  );
  return proof.facts();
}

/** Reads a whole SQLite event store. */
export function readFacts(path: string, report: (done: number) => void): Promise<LogFacts> {
  return whileOpen(
    () => openSqliteEventStore({ path }),
    (store) => factsOf(store, report),
  );
}

/** Reads a store up to its end at the start of the read. */
export async function factsOf(store: EventStore, report: (done: number) => void): Promise<LogFacts> {
  const proof = logProof(seals);
  const end = await store.head();
  let done = 0;
  if (end !== START) {
    for await (const event of eventsUpTo(store, end)) {
      proof.add(event);
      done += 1;
      report(done);
    }
  }
  return proof.facts();
}

async function* proven(
  events: AsyncGenerator<StoredEvent, undefined>,
  proof: LogProof,
): AsyncGenerator<StoredEvent, undefined> {
  for await (const event of events) {
    proof.add(event);
    yield event;
  }
  return undefined;
}

/** The speed of a phase, measured from its own start. */
export function progressOf(
  phase: LogProgress['phase'],
  total: number | null,
  onProgress: OnLogProgress,
): (done: number) => void {
  const startedAt = performance.now();
  return (done) => {
    const seconds = (performance.now() - startedAt) / 1_000;
    onProgress({ phase, done, total, perSecond: seconds > 0 ? done / seconds : 0 });
  };
}
