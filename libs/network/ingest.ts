import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_LINE_BYTES } from '#kernel/values/ndjson-lines.js';
import type { LineMessage } from './line-faults.js';
import { readLines, type ReadLine, type ReadOptions } from './read-lines.js';
import type { Sighting, WriteOutcome } from './sighting.js';
import { unknownMemberCounts } from './unknown-members.js';

/** The writing side of a network store. */
export type ObservationWriter = {
  /** Writes all of them in order, durably, all or none; one outcome each. */
  readonly write: (sightings: readonly Sighting[]) => Promise<readonly WriteOutcome[]>;
};

export type IngestProgress = {
  readonly lines: number;
  readonly accepted: number;
  readonly unchanged: number;
  readonly rejected: number;
};

/** The lists hold the first `MAX_REPORTED_LINES`; the totals count all. */
export type IngestReport = {
  readonly accepted: number;
  readonly unchanged: number;
  readonly rejected: readonly LineMessage[];
  readonly rejectedTotal: number;
  /**
   * First one note for each unknown member, with the number of lines; then accepted or unchanged lines that were
   * changed: texts that were cut, addresses that were left out.
   */
  readonly notes: readonly LineMessage[];
  readonly notesTotal: number;
};

export type IngestOptions = ReadOptions & {
  /** Called after every written batch. */
  readonly onProgress?: (progress: IngestProgress) => void;
};

export const MAX_REPORTED_LINES = 1_000;

/** One transaction of the store: short enough for the event loop that also serves requests. */
const BATCH_OBSERVATIONS = 200;
const BATCH_BYTES = 256 * 1024;
/** The maximum buffered bytes of a stream: an incomplete line, a batch, and read-ahead. */
export const INGEST_WINDOW_BYTES = MAX_LINE_BYTES + 2 * BATCH_BYTES;

type Pending = { readonly line: number; readonly sighting: Sighting };

/**
 * Writes a stream of observations, one JSON object per line (OPS-10). Memory is bounded for any size, and other work
 * runs after each batch. Idempotent by (kind, ref, rev), so after an interruption everything may be sent again. A bad
 * line is reported with its number and the others are kept. Blank lines are skipped. Rejects if the stream or the
 * store does; written batches stay.
 */
export async function ingestObservations(
  writer: ObservationWriter,
  chunks: AsyncIterable<Uint8Array>,
  options: IngestOptions = {},
): Promise<IngestReport> {
  const { onProgress } = options;
  const rejected = boundedList();
  const notes = boundedList();
  const unknownMembers = unknownMemberCounts();
  let accepted = 0;
  let unchanged = 0;
  let lines = 0;
  let pending: Pending[] = [];
  let pendingBytes = 0;
  let refusals: LineMessage[] = [];

  const flush = async (): Promise<void> => {
    const outcomes = pending.length === 0 ? [] : await writer.write(pending.map(({ sighting }) => sighting));
    pending.forEach(({ line }, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new Error('the network store gave no outcome for an observation');
      if (outcome === 'accepted') accepted += 1;
      else if (outcome === 'unchanged') unchanged += 1;
      else refusals.push({ line, message: outcome.rejected });
    });
    rejected.add(refusals.sort((left, right) => left.line - right.line));
    pending = [];
    pendingBytes = 0;
    refusals = [];
    onProgress?.({ lines, accepted, unchanged, rejected: rejected.total() });
    await nextTurn();
  };

  const take = (seen: ReadLine): void => {
    const { line } = seen;
    lines = line;
    pendingBytes += seen.bytes;
    if (seen.outcome === 'refused') refusals.push({ line, message: seen.message });
    if (seen.outcome !== 'observed') return;
    unknownMembers.add(seen.unknown, line);
    pending.push({ line, sighting: seen.sighting });
    notes.add(seen.notes.map((message) => ({ line, message })));
  };

  for await (const some of readLines(chunks, options)) {
    for (const line of some) {
      take(line);
      const full = pending.length + refusals.length >= BATCH_OBSERVATIONS || pendingBytes >= BATCH_BYTES;
      if (full) await flush();
    }
  }
  await flush();
  const unknown = unknownMembers.messages();
  return {
    accepted,
    unchanged,
    rejected: rejected.list,
    rejectedTotal: rejected.total(),
    notes: [...unknown, ...notes.list].slice(0, MAX_REPORTED_LINES),
    notesTotal: unknown.length + notes.total(),
  };
}

/** The report of an ingestion judged by the lines alone: nothing is written, so no line is `unchanged`. */
export async function checkObservations(
  chunks: AsyncIterable<Uint8Array>,
  options: IngestOptions,
): Promise<IngestReport> {
  const nowhere: ObservationWriter = { write: async (sightings) => sightings.map(() => 'accepted') };
  return ingestObservations(nowhere, chunks, options);
}

function boundedList() {
  const list: LineMessage[] = [];
  let total = 0;
  return {
    list,
    total: () => total,
    add: (messages: readonly LineMessage[]): void => {
      list.push(...messages.slice(0, Math.max(0, MAX_REPORTED_LINES - list.length)));
      total += messages.length;
    },
  };
}
