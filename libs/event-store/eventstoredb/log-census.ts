import { START, StoreUnusable, type Position } from '#kernel/ports/event-store.port.js';
import { isShortLived } from '#kernel/ports/short-lived.js';
import type { FiniteRead } from './finite-read.js';
import { dataOf, isOfServer, ownEvent, positionOf } from './recorded-event.js';
import type { DeliveredRecord } from './server-messages.js';

/** The contents of the log by writer. */
export type LogCensus = {
  readonly own: number;
  /** The server's own records: its streams, metadata of streams, links. */
  readonly system: number;
  /** Events of other programs. */
  readonly foreign: number;
  /** Streams of any program that were deleted or truncated, with the change. */
  readonly changed: ReadonlyMap<string, string>;
};

const PAGE = 1_000;
const METADATA_PREFIX = '$$';
const CUTS: readonly string[] = ['$tb', '$maxCount', '$maxAge'];

/** Reads the whole log once, including the records that filtered readers leave out. */
export async function logCensus(read: FiniteRead, onRecords: (done: number) => void): Promise<LogCensus> {
  const counts = { own: 0, system: 0, foreign: 0 };
  const changed = new Map<string, string>();
  let done = 0;
  for (let after: Position = START; ;) {
    const records = await read.logPage(after, PAGE);
    const before = after;
    for (const record of records) {
      const position = positionOf(record);
      // A page begins with the record that the page before ended with.
      if (position !== null && position <= after) continue;
      after = position ?? after;
      counts[kindOf(record)] += 1;
      learnChanges(record, changed);
      done += 1;
    }
    onRecords(done);
    if (records.length < PAGE) return { ...counts, changed };
    if (after === before) throw new StoreUnusable(`the event store does not get past position ${after}`);
  }
}

function kindOf(record: DeliveredRecord): 'own' | 'system' | 'foreign' {
  if (ownEvent(record) !== null) return 'own';
  const { event, link } = record;
  return event === null || link !== null || isOfServer(event) ? 'system' : 'foreign';
}

function learnChanges({ event }: DeliveredRecord, changed: Map<string, string>): void {
  if (event === null) return;
  const { type } = event;
  if (type === '$streamDeleted') changed.set(event.stream, 'permanently deleted');
  if (type !== '$metadata' || !event.stream.startsWith(METADATA_PREFIX)) return;
  const stream = event.stream.slice(METADATA_PREFIX.length);
  const data = dataOf(event);
  // Short-lived events that expired are no loss.
  if (isShortLived(stream) || changed.get(stream) === 'permanently deleted') return;
  const cuts = CUTS.filter((cut) => typeof data === 'object' && data !== null && cut in data);
  // The last metadata of a stream is valid.
  if (cuts.length === 0) changed.delete(stream);
  else changed.set(stream, `truncated by ${cuts.join(', ')}`);
}
