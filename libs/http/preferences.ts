/** The first value of a preference in a `Prefer` header (RFC 7240), without quotes; null if it is absent. */
function preferenceOf(prefer: string | readonly string[] | undefined, wanted: string): string | null {
  if (prefer === undefined) return null;
  for (const preference of [prefer].flat().join(',').split(',')) {
    const [name, value = ''] = (preference.split(';', 1)[0] ?? '').split('=');
    // The first one counts.
    if (name?.trim().toLowerCase() === wanted) return value.trim().replace(/^"(.*)"$/, '$1');
  }
  return null;
}

/** Whether a caller wants invalid or unknown input to be refused: `Prefer: handling=strict`. */
export const wantsStrictHandling = (prefer: string | readonly string[] | undefined): boolean =>
  preferenceOf(prefer, 'handling')?.toLowerCase() === 'strict';

/**
 * How long a caller wants to wait for the final answer, in seconds: `Prefer: wait=20`; null without a whole number.
 */
export function waitWanted(prefer: string | readonly string[] | undefined): number | null {
  const seconds = preferenceOf(prefer, 'wait');
  return seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) : null;
}
