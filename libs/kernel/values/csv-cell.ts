/** Characters at the start of a cell that make it a formula in a spreadsheet, including their wide forms. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * A value as a cell of CSV (RFC 4180); nothing for null and undefined. A text that a spreadsheet would treat as a formula
 * gets a leading apostrophe; numbers stay numbers.
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  const text = String(value ?? '');
  const neutral = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(neutral) ? `"${neutral.replaceAll('"', '""')}"` : neutral;
}
