/** What a spreadsheet takes for a formula, also behind blanks. */
const FORMULA = /^\s*[=+\-@\t\r]/;

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A text as a cell of CSV: never a formula, whatever a customer has written (`'` stands before it). */
function cell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV with CRLF at the end of each (RFC 4180). */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
