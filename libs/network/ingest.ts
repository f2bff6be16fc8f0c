import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_LINE_BYTES, ndjsonLines, type NdjsonLine } from '#kernel/values/ndjson-lines.js';
import { MalformedObservation, readObservation } from './read-observation.js';
import type { Sighting, WriteOutcome } from './sighting.js';
import { unknownMemberCounts, unknownMemberMessage, unknownMembersOf } from './unknown-members.js';

/** The writing side of a network store. */
export type ObservationWriter = {
  /** Writes all of them in order, durably, at once or not at all; one outcome each. */
  readonly write: (sightings: readonly Sighting[]) => Promise<readonly WriteOutcome[]>;
};

export type LineMessage = { readonly line: number; readonly message: string };

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
   * Members that a kind does not have, one note each with the number of lines; then lines that were accepted or unchanged
   * with a change on the way in: texts that were cut, addresses that were left out.
   */
  readonly notes: readonly LineMessage[];
  readonly notesTotal: number;
};

export type IngestOptions = {
  /** Called after every batch that was written. */
  readonly onProgress?: (progress: IngestProgress) => void;
  /** What automatic revisions are (SRC-01), in milliseconds of real time; the present where it is not given. */
  readonly requestedAtMs?: number;
  /** A line with a member that its kind does not have is rejected; else the member is ignored and noted. */
  readonly strict?: boolean;
};

export const MAX_REPORTED_LINES = 1_000;

/** One transaction of the store: short enough for the loop that serves requests beside it. */
const BATCH_OBSERVATIONS = 200;
const BATCH_BYTES = 256 * 1024;
/** What is held of a stream at a time: a line that is not whole yet, a batch, and what was read ahead. */
export const INGEST_WINDOW_BYTES = MAX_LINE_BYTES + 2 * BATCH_BYTES;

type Pending = { readonly line: number; readonly sighting: Sighting };

/**
 * Writes a stream of observations, one JSON object a line (OPS-10). Any size: memory stays bounded and
 * other work gets its turn after each batch. Idempotent by (kind, ref, rev), so after a stop everything may be
 * sent again. A bad line is reported with its number and the others are kept. Blank lines are skipped.
 * Rejects when the stream or the store does; batches that were written stay.
 */
export async function ingestObservations(
  writer: ObservationWriter,
  chunks: AsyncIterable<Uint8Array>,
  { onProgress, requestedAtMs = Date.now(), strict = false }: IngestOptions = {},
): Promise<IngestReport> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
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

  const take = ({ number, bytes }: NdjsonLine): void => {
    lines = number;
    try {
      const text = textOf(bytes, decoder);
      if (text === null) return;
      const given = parsed(text);
      const { notes: told, ...sighting } = readObservation(given, requestedAtMs);
      const unknown = unknownMembersOf(given);
      if (strict && unknown.length > 0) throw new MalformedObservation(unknown.map(unknownMemberMessage));
      unknownMembers.add(unknown, number);
      pending.push({ line: number, sighting });
      notes.add(told.map((message) => ({ line: number, message })));
    } catch (error) {
      if (!(error instanceof MalformedObservation)) throw error;
      refusals.push({ line: number, message: error.message });
    }
  };

  for await (const batch of ndjsonLines(chunks)) {
    for (const line of batch) {
      take(line);
      pendingBytes += line.bytes?.length ?? MAX_LINE_BYTES;
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

/** What an ingest would tell of these lines, as far as they themselves say: nothing is written, so none is `unchanged`. */
export async function checkObservations(
  chunks: AsyncIterable<Uint8Array>,
  options: IngestOptions = {},
): Promise<IngestReport> {
  const nowhere: ObservationWriter = { write: async (sightings) => sightings.map(() => 'accepted') };
  return ingestObservations(nowhere, chunks, options);
}

/** The text of a line, null when it is blank. */
function textOf(bytes: Uint8Array | null, decoder: InstanceType<typeof TextDecoder>): string | null {
  if (bytes === null) throw new MalformedObservation([`the line is longer than ${MAX_LINE_BYTES} bytes`]);
  try {
    const text = decoder.decode(bytes);
    return text.trim() === '' ? null : text;
  } catch {
    throw new MalformedObservation(['the line is not valid UTF-8']);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedObservation(['the line is not valid JSON']);
  }
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
