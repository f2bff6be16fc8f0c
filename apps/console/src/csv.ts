import { csvCell } from '#kernel/values/csv-cell.js';

/**
 * Rows as CSV with CRLF at the end of each (RFC 4180); no text of a customer becomes a formula. Leading
 * blanks are removed, because spreadsheets skip them and would find a formula after them.
 */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows
    .map(
      (row) =>
        `${row.map((each) => csvCell(typeof each === 'string' ? each.trimStart() : each)).join(',')}\r\n`,
    )
    .join('');
