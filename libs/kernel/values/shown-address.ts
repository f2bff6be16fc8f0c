/**
 * A text with addresses in a form for display and logs: on one line, without user and password, and without options
 * named as a password or secret. A password may contain `/`, `?` and `@`, so everything up to the last `@` of a line is
 * removed.
 */
export function shownAddress(text: string): string {
  const [line = ''] = text.split('\n');
  return line
    .replaceAll(/:\/\/.*@/g, '://***@')
    .replaceAll(/([?&][^=&]*(?:password|properties|secret|token)[^=&]*=)[^&]*/gi, '$1***');
}
