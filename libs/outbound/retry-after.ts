const SECONDS = /^\d{1,9}$/;

/** The wait of a `Retry-After` header in milliseconds: seconds or a date (RFC 9110, 10.2.3); 0 for anything else. */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  if (SECONDS.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
}
