import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { MalformedAnswer } from './answer-fields.js';
import type { CsvMapping } from './csv-mapping.js';

/** A row: its cells by the name of their column; mapped columns only. */
export type Row = Readonly<Record<string, string>>;

const LONGEST_ROW = 1024 * 1024;
const ROWS_AT_ONCE = 100;
const MOST_NAMED = 30;

/** Changes whenever the file changes. */
export async function editionOf(
  path: string,
): Promise<{ readonly edition: string; readonly bytes: number } | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) return null;
  return { edition: `${found.ino}-${found.size}-${found.mtimeMs}`, bytes: found.size };
}

/**
 * Reads a file in pieces of rows. Rejects with `MalformedAnswer` for a missing column, a row with another number of
 * cells than the first, another encoding, a file that cannot be read, or one that changes while it is read.
 */
export async function* rowsOf(
  path: string,
  { id, columns, delimiter, encoding }: CsvMapping,
  onBytes: (done: number) => void,
): AsyncGenerator<readonly Row[]> {
  const before = await editionOf(path);
  const parser = parse({
    bom: true,
    delimiter,
    columns: (header: readonly string[]) => named(header, [id, ...columns.values()]),
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
  });
  // An error before the parser also makes the parser fail.
  pipeline(Readable.from(textsOf(path, encoding, onBytes)), parser, () => undefined);
  let rows: Row[] = [];
  try {
    for await (const row of parser) {
      rows.push(row);
      if (rows.length < ROWS_AT_ONCE) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    throw faultOf(error);
  }
  const after = await editionOf(path);
  if (after === null || after.edition !== before?.edition)
    throw new MalformedAnswer('changed while it was read');
  if (parser.info.records === 0 && parser.info.lines <= 1)
    throw new MalformedAnswer('has no row of column names');
  yield rows;
}

/** A fault of the file as a failed reading; any other error as it is. */
function faultOf(error: unknown): unknown {
  if (error instanceof CsvError) return new MalformedAnswer(`is no CSV as mapped: ${error.message}`);
  // An error of the operating system, such as a missing permission.
  return error instanceof Error && 'syscall' in error
    ? new MalformedAnswer(`cannot be read: ${error.message}`)
    : error;
}

async function* textsOf(
  path: string,
  encoding: string,
  onBytes: (done: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let done = 0;
  for await (const chunk of createReadStream(path)) {
    onBytes((done += chunk.byteLength));
    yield decoded(() => decoder.decode(chunk, { stream: true }), encoding);
  }
  yield decoded(() => decoder.decode(), encoding);
}

function decoded(decode: () => string, encoding: string): string {
  try {
    return decode();
  } catch {
    throw new MalformedAnswer(`is not valid ${encoding}: name its encoding in the mapping`);
  }
}

/**
 * The names of the mapped columns, which appear exactly once; null for the others. Their cells are not kept: a file may
 * have as many columns as fit into a row.
 */
function named(header: readonly string[], mapped: readonly string[]): (string | null)[] {
  const names = header.map((name) => name.trim());
  for (const column of mapped) {
    const count = names.filter((name) => name === column.trim()).length;
    if (count === 1) continue;
    const has = names.slice(0, MOST_NAMED).join(', ');
    throw new MalformedAnswer(
      count === 0 ? `has no column ${column}; it has ${has}` : `has ${column} ${count} times`,
    );
  }
  const wanted = new Set(mapped.map((column) => column.trim()));
  return names.map((name) => (wanted.has(name) ? name : null));
}
