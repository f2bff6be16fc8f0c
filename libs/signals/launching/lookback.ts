import { DAY_MS } from '#kernel/values/durations.js';
import type { Launching, LaunchQuestion } from './launch-source.js';

export const DEFAULT_LOOKBACK_DAYS = 90;
export const MAX_LOOKBACK_DAYS = 180;
const MIN_SCHEDULED_LOOKBACK_DAYS = 7;
/** The network shows some observations up to this late. */
const LATE_DAYS = 3;

export type LookbackFacts = Pick<Launching, 'launches' | 'monitoredSince'> &
  Pick<LaunchQuestion, 'trigger' | 'now'>;

/** The default look-back of a launch in days (D-04): to the previous run, and some days more. */
export function lookbackOf({ trigger, now, launches, monitoredSince }: LookbackFacts): number {
  switch (trigger) {
    case 'manual':
      return DEFAULT_LOOKBACK_DAYS;
    case 'schedule':
      return daysSince(launches.lastLaunchedAt, now, MIN_SCHEDULED_LOOKBACK_DAYS);
    case 'monitoring':
      return daysSince(launches.lastPassAt ?? monitoredSince, now, 1);
  }
}

function daysSince(previous: string | null, now: Date, atLeast: number): number {
  if (previous === null) return DEFAULT_LOOKBACK_DAYS;
  const days = Math.ceil((now.getTime() - Date.parse(previous)) / DAY_MS) + LATE_DAYS;
  return Math.min(MAX_LOOKBACK_DAYS, Math.max(atLeast, days));
}
