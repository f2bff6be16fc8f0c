import { refusal } from './refusal.js';

/** The maximum length of a line; longer lines are dropped while they arrive, so they never fill the memory. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** A longer line counts as endless: the input is no file of lines, and reading might never end. */
const ENDLESS_BYTES = 64 * MAX_LINE_BYTES;

/** A line or a document that does not end within 64 MiB. */
export const endlessText = refusal({
  code: 'invalid-input',
  kind: 'unprocessable',
  detail: 'The input has no end of a line within 64 MiB: it is no file of lines.',
});

const LINE_FEED = 0x0a;
const LINES_AT_ONCE = 500;

/** One line without its end. `bytes` is null when the line was longer than `MAX_LINE_BYTES`. */
export type NdjsonLine = { readonly number: number; readonly bytes: Uint8Array | null };

/**
 * Splits a byte stream at line feeds, holding back at most one line. Numbers count from 1. Throws `endlessText` for a
 * line longer than 64 MiB.
 */
export async function* ndjsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly NdjsonLine[]> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let held = 0;

  const endLine = (last: Uint8Array): NdjsonLine => {
    const tooLong = held + last.length > MAX_LINE_BYTES;
    const bytes = tooLong ? null : parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    held = 0;
    return { number: number++, bytes };
  };

  for await (const chunk of chunks) {
    let lines: NdjsonLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      lines.push(endLine(chunk.subarray(start, end)));
      start = end + 1;
      if (lines.length < LINES_AT_ONCE) continue;
      yield lines;
      lines = [];
    }
    const rest = chunk.subarray(start);
    held += rest.length;
    if (held > MAX_LINE_BYTES) parts = [];
    else if (rest.length > 0) parts.push(Buffer.from(rest));
    if (lines.length > 0) yield lines;
    if (held > ENDLESS_BYTES) throw endlessText();
  }
  if (held > 0) yield [endLine(new Uint8Array(0))];
}
