import { HOUR_MS } from '#kernel/values/durations.js';

/** Events of short-lived streams exist at least this long: twice as long as they are read. */
export const SHORT_LIVED_MS = 48 * HOUR_MS;

/**
 * Whether the store removes a stream after a time: keyed requests of workspaces, and the candidates of a run's batch,
 * which are recorded or dropped within hours. Nothing is derived from these events, so no checkpoint names one and no
 * proof of a log counts them. Keyed requests of operators have no workspace and are not removed.
 */
export function isShortLived(stream: string): boolean {
  return SHORT_LIVED.test(stream);
}

/** Every short-lived stream begins with one of these, and so may others. */
export const SHORT_LIVED_BEGINNINGS = ['request-', 'batch-'] as const;

const SHORT_LIVED = /^(?:request|batch)-\d+_/;
