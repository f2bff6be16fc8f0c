import { isObject } from '#kernel/values/json.js';
import { printable } from './printable.js';
import { styled } from './styled.js';

type Row = Readonly<Record<string, unknown>>;

const MAX_CELL = 60;
/** A message in the last column may be long, because no column follows. */
const MAX_LAST_CELL = 300;

/** Prints an answer for a person, or as one line of JSON for a program. */
export function printResult(result: unknown, asJson: boolean): void {
  process.stdout.write(`${resultText(result, asJson)}\n`);
}

/**
 * The output of `printResult`. Text of customers is escaped, so that a terminal does not interpret it; JSON stays
 * equivalent.
 */
export function resultText(result: unknown, asJson: boolean): string {
  return asJson ? printable(JSON.stringify(result)) : renderObject(result);
}

/** `key  value` lines, `key.member  value` for nested members; lists of objects become tables below their key. */
function renderObject(value: unknown): string {
  if (!isObject(value)) return renderCell(value);
  const entries = Object.entries(value)
    .flatMap(([key, member]) => membersOf(key, member))
    .map(([key, member]) => [printable(key), member] as const);
  const plain = entries.filter(([, member]) => !isTable(member));
  const width = Math.max(0, ...plain.map(([key]) => key.length));
  const lines = plain.map(([key, member]) => `${dim(key.padEnd(width))}  ${renderCell(member)}`);
  const tables = entries.flatMap(([key, member]) =>
    isTable(member) ? [`${dim(key)}\n${renderTable(member)}`] : [],
  );
  return [...lines, ...tables].join('\n');
}

/** Columns as wide as their widest cell; numbers are right-aligned. */
export function renderTable(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.flatMap((row) =>
    linesOf(
      columns.map((column, index) =>
        cellLines(row[column], index === columns.length - 1 ? MAX_LAST_CELL : MAX_CELL),
      ),
    ),
  );
  const names = columns.map(printable);
  const widths = names.map((name, index) =>
    Math.max(widthOf(name), ...cells.map((row) => widthOf(row[index] ?? ''))),
  );
  const isNumeric = columns.map((column) =>
    rows.every((row) => ['number', 'undefined'].includes(typeof row[column])),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => pad(cell, widths[index] ?? 0, isNumeric[index] === true))
      .join('  ')
      .trimEnd();
  return [dim(line(names)), ...cells.map(line)].join('\n');
}

/** The lines of a row whose cells have several lines. */
function linesOf(cells: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) => cells.map((lines) => lines[index] ?? ''));
}

/** The lines of a cell: one, or one per member of an object and entry of a list. */
function cellLines(value: unknown, longest: number): readonly string[] {
  if (isObject(value)) {
    const members = membersOf('', value).map(([key, member]) => `${printable(key)} ${renderCell(member)}`);
    return members.length === 0 ? ['-'] : members.map((member) => shortened(member, longest));
  }
  if (isTable(value)) {
    const entries = value.map((entry) =>
      membersOf('', entry).map(([key, member]) => `${printable(key)} ${renderCell(member)}`),
    );
    return entries.map((members) => shortened(members.join(', '), longest));
  }
  return [shortened(renderCell(value), longest)];
}

/** The members of an object by path (`balance.held`), without undefined ones. */
function membersOf(path: string, value: unknown): readonly (readonly [path: string, member: unknown])[] {
  if (!isObject(value)) return [[path, value]];
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return path === '' ? [] : [[path, '-']];
  return members.flatMap(([key, member]) => membersOf(path === '' ? key : `${path}.${key}`, member));
}

function renderCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry !== 'object'))
    return printable(value.join(', '));
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

// East Asian wide characters take two columns of a terminal, combining marks none.
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/gu;
const ZERO_WIDTH = /[\p{Mn}\u00AD\u200B-\u200D\u2060\uFEFF]/gu;

function widthOf(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return Array.from(text).length + count(WIDE) - count(ZERO_WIDTH);
}

function pad(text: string, width: number, left: boolean): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return left ? space + text : text + space;
}

/** The form of a hash or seal: a truncated one proves nothing. */
const HASH = /^(\S+ )?[0-9a-f]{40,}$/;

const shortened = (text: string, longest: number): string =>
  text.length > longest && !HASH.test(text) ? `${text.slice(0, longest - 1)}…` : text;

const isTable = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

const dim = (text: string): string => styled('dim', text);
