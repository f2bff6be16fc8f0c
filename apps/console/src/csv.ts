import { csvCell } from '#kernel/values/csv-cell.js';

/** Rows as CSV with CRLF at the end of each (RFC 4180); no text of a customer becomes a formula. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map((each) => csvCell(each)).join(',')}\r\n`).join('');
