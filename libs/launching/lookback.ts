export const DEFAULT_LOOKBACK_DAYS = 90;
export const MAX_LOOKBACK_DAYS = 180;
const MIN_SCHEDULED_LOOKBACK_DAYS = 7;
const DAY_MS = 86_400_000;

/** Back to the previous run, at least a week and at most what can be looked back to; a first run looks back as usual. */
export function lookbackSince(lastLaunchedAt: string | null, now: Date): number {
  if (lastLaunchedAt === null) return DEFAULT_LOOKBACK_DAYS;
  const days = Math.ceil((now.getTime() - Date.parse(lastLaunchedAt)) / DAY_MS);
  return Math.min(MAX_LOOKBACK_DAYS, Math.max(MIN_SCHEDULED_LOOKBACK_DAYS, days));
}
