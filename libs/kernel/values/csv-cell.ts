/**
 * A cell that a spreadsheet may treat as a formula: it begins with one of these characters or their wide forms. White
 * space before it is no protection, because spreadsheets may skip it.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;

/**
 * A value as a cell of CSV (RFC 4180); nothing for null and undefined. A text that a spreadsheet would treat as a formula
 * gets a leading apostrophe; numbers stay numbers.
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  const text = String(value ?? '');
  const neutral = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(neutral) ? `"${neutral.replaceAll('"', '""')}"` : neutral;
}
