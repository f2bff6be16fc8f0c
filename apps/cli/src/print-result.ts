import { styleText } from 'node:util';

type Row = Readonly<Record<string, unknown>>;

const MAX_CELL = 60;

/** Prints an answer for a person, or as one line of JSON for a program. */
export function printResult(result: unknown, asJson: boolean): void {
  process.stdout.write(asJson ? `${JSON.stringify(result)}\n` : `${renderObject(result)}\n`);
}

/** `key  value` lines; lists of objects become tables under their key. */
function renderObject(value: unknown): string {
  if (!isRow(value)) return renderCell(value);
  const entries = Object.entries(value);
  const plain = entries.filter(([, member]) => !isTable(member));
  const width = Math.max(0, ...plain.map(([key]) => key.length));
  const lines = plain.map(([key, member]) => `${dim(key.padEnd(width))}  ${renderCell(member)}`);
  const tables = entries.flatMap(([key, member]) =>
    isTable(member) ? [`${dim(key)}\n${renderTable(member)}`] : [],
  );
  return [...lines, ...tables].join('\n');
}

/** Columns as wide as their widest cell; numbers stand right. */
export function renderTable(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((column) => shortened(renderCell(row[column]))));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const isNumeric = columns.map((column) =>
    rows.every((row) => ['number', 'undefined'].includes(typeof row[column])),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) =>
        isNumeric[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [dim(line(columns)), ...cells.map(line)].join('\n');
}

function renderCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const shortened = (text: string): string =>
  text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTable = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

const dim = (text: string): string => (process.stdout.isTTY ? styleText('dim', text) : text);
