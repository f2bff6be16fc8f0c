import { MAX_LINE_BYTES, ndjsonLines, type NdjsonLine } from '#kernel/values/ndjson-lines.js';
import { MalformedObservation, readObservation } from './read-observation.js';
import type { Sighting } from './sighting.js';
import { unknownMemberMessage, unknownMembersOf, type UnknownMember } from './unknown-members.js';

/** A parsed line of a stream. */
export type ReadLine = {
  /** Its number, starting at 1. */
  readonly line: number;
  /** Its length; for a line above the maximum length, that maximum. */
  readonly bytes: number;
} & (
  | { readonly outcome: 'blank' }
  | { readonly outcome: 'refused'; readonly message: string }
  | {
      readonly outcome: 'observed';
      readonly sighting: Sighting;
      /** The changes: texts that were cut, addresses that were left out. */
      readonly notes: readonly string[];
      readonly unknown: readonly UnknownMember[];
    }
);

export type ReadOptions = {
  /** The value of automatic revisions (SRC-01), in milliseconds of real time; default: now. */
  readonly requestedAtMs?: number;
  /** A line with an unknown member is refused; otherwise the member is ignored and reported. */
  readonly strict?: boolean;
};

/**
 * Parses a stream of observations, one JSON object per line (OPS-10), in pieces. It writes nothing and judges each
 * line alone. Rejects if the stream does.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { requestedAtMs = Date.now(), strict = false }: ReadOptions = {},
): AsyncGenerator<readonly ReadLine[], void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const lines of ndjsonLines(chunks))
    yield lines.map((line) => readLine(line, decoder, requestedAtMs, strict));
}

function readLine(
  { number: line, bytes }: NdjsonLine,
  decoder: InstanceType<typeof TextDecoder>,
  requestedAtMs: number,
  strict: boolean,
): ReadLine {
  const base = { line, bytes: bytes?.length ?? MAX_LINE_BYTES };
  try {
    const text = textOf(bytes, decoder);
    if (text === null) return { ...base, outcome: 'blank' };
    const given = parsed(text);
    const { notes, ...sighting } = readObservation(given, requestedAtMs);
    const unknown = unknownMembersOf(given);
    if (strict && unknown.length > 0) throw new MalformedObservation(unknown.map(unknownMemberMessage));
    return { ...base, outcome: 'observed', sighting, notes, unknown };
  } catch (error) {
    if (!(error instanceof MalformedObservation)) throw error;
    return { ...base, outcome: 'refused', message: error.message };
  }
}

/** The text of a line, null if it is blank. */
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
