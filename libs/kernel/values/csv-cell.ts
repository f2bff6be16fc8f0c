/** What a spreadsheet would take for a formula when a cell begins with it; the wide forms count too. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * A value as a cell of CSV (RFC 4180); nothing for null and undefined. A text that a spreadsheet would take for a formula
 * begins with an apostrophe, which makes it text; numbers stay numbers.
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  const text = String(value ?? '');
  const neutral = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(neutral) ? `"${neutral.replaceAll('"', '""')}"` : neutral;
}
