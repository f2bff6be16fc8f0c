import { isObject } from '#kernel/values/json.js';
import { csvCell } from '#kernel/values/csv-cell.js';
import type { TSchema } from '#kernel/values/schema.js';
import { reply } from './reply.js';
import { textAnswer, type TextAnswer } from './text-answer.js';

/** Media types of rows as a stream of lines, for `otherTypes` of an endpoint. */
export const ROW_TYPES: readonly string[] = ['application/x-ndjson', 'text/csv'];

/** Each page of rows in its public form, made when it is requested. */
export async function* eachPage<Row, View>(
  pages: AsyncIterable<readonly Row[]>,
  view: (rows: readonly Row[]) => Promise<readonly View[]>,
): AsyncGenerator<readonly View[]> {
  for await (const rows of pages) yield await view(rows);
}

/**
 * Rows as a stream of lines in one of `ROW_TYPES`. `next` is the cursor after the last row, sent in `Next-Cursor`.
 */
export function rowStream(
  mediaType: string,
  row: TSchema,
  pages: AsyncIterable<readonly object[]>,
  next: string | null,
): TextAnswer {
  const isCsv = mediaType === 'text/csv';
  const { data, headers } = textAnswer(
    isCsv ? 'text/csv; charset=utf-8' : mediaType,
    isCsv ? csvLines(row, pages) : jsonLines(pages),
  );
  return reply(data, { headers: { ...headers, ...(next === null ? {} : { 'next-cursor': next }) } });
}

async function* jsonLines(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** A header and one line per row; a nested member has its own column (`company.name`). */
async function* csvLines(row: TSchema, pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  const columns = columnsOf(row, []);
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
  yield line(columns.map((path) => csvCell(path.join('.'))));
  for await (const rows of pages)
    yield rows.map((each) => line(columns.map((path) => csvCell(plain(valueAt(each, path)))))).join('');
}

/** The paths of all values in a row that are not objects with declared members. */
function columnsOf(schema: unknown, path: readonly string[]): readonly (readonly string[])[] {
  const properties = propertiesOf(schema);
  if (properties === null) return [path];
  return Object.entries(properties).flatMap(([name, below]) => columnsOf(below, [...path, name]));
}

/** The declared members of an object, even if it may be null; null for any other schema and for one of several forms. */
function propertiesOf(schema: unknown): object | null {
  if (!isObject(schema)) return null;
  if (isObject(schema['properties'])) return schema['properties'];
  const forms: unknown = schema['anyOf'];
  if (!Array.isArray(forms)) return null;
  const [form, ...others] = forms.filter((each) => !isObject(each) || each['type'] !== 'null');
  return others.length === 0 ? propertiesOf(form) : null;
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : null), row);
}

/** The value of a cell: a list of texts joined with semicolons, other nested values as JSON. */
function plain(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  const isPlainList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
  return isPlainList ? value.join('; ') : JSON.stringify(value);
}
