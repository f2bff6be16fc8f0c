/**
 * A text with addresses in it as it may be shown and logged: on one line, and without user, password and what an
 * option calls a password or secret. A password may itself hold `/`, `?` and `@`, so everything goes up to the
 * last `@` of a line.
 */
export function shownAddress(text: string): string {
  const [line = ''] = text.split('\n');
  return line
    .replaceAll(/:\/\/.*@/g, '://***@')
    .replaceAll(/([?&][^=&]*(?:password|properties|secret|token)[^=&]*=)[^&]*/gi, '$1***');
}
