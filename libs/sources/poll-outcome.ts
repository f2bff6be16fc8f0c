import { DAY_MS, HOUR_MS } from '#kernel/values/durations.js';
import type { PollMemory } from './poll-memory.js';
import type { SourceKind } from './source-kind.js';

const LONGEST_BACKOFF_MS = DAY_MS;
const HOURS_OF_A_DAY = 24;
/** 410 is final: the source is polled only on request. */
export const NEVER_MS = Number.MAX_SAFE_INTEGER;
/** A board that is gone may come back: it is polled once a week. */
const GONE_PAUSE_MS = 7 * DAY_MS;

type Timing = { readonly nowMs: () => number; readonly random: () => number };
type Of = { readonly kind: SourceKind; readonly before: PollMemory };

/** The next poll of a board that is gone: in a week, or never if it answered 410 before (SRC-06). */
export const nextOfGone = (before: PollMemory, at: number, notBeforeMs: number): number =>
  before.isGone && before.nextPollAtMs === NEVER_MS ? NEVER_MS : Math.max(notBeforeMs, at + GONE_PAUSE_MS);

/**
 * The memory after a failed poll: the pause grows with each failure, is never shorter than the host asks, and ends outside
 * of the hours that the source excluded when it was last read. A board that is gone stays so until it answers with items.
 */
export function afterFailure(
  { nowMs, random }: Timing,
  { before }: Pick<Of, 'before'>,
  why: string,
  notBeforeMs: number,
): PollMemory {
  const at = nowMs();
  const backoffMs = Math.min(HOUR_MS * 2 ** Math.min(before.failures, 10), LONGEST_BACKOFF_MS);
  return {
    ...before,
    lastPollAtMs: at,
    failures: before.failures + 1,
    lastFailure: why,
    notBeforeMs,
    nextPollAtMs: before.isGone
      ? nextOfGone(before, at, notBeforeMs)
      : outside(before.skipHours, Math.max(notBeforeMs, at + spread(backoffMs, random))),
  };
}

export type Schedule = {
  readonly notBeforeMs: number;
  /** Hours of the day in which the source asks not to be read. */
  readonly skipHours: readonly number[];
  readonly hasYielded: boolean;
};

/** The memory after a complete poll. */
export function afterSuccess(
  { nowMs, random }: Timing,
  { kind, before }: Of,
  counts: Pick<PollMemory, 'added' | 'changed' | 'closed' | 'skipped'>,
  { notBeforeMs, skipHours, hasYielded }: Schedule,
): PollMemory {
  const at = nowMs();
  return {
    ...before,
    ...counts,
    lastPollAtMs: at,
    lastSuccessAtMs: at,
    lastYieldAtMs: hasYielded ? at : before.lastYieldAtMs,
    failures: 0,
    lastFailure: null,
    missing: 0,
    isGone: false,
    notBeforeMs,
    skipHours,
    nextPollAtMs: outside(skipHours, Math.max(notBeforeMs, at + spread(kind.pauseMs, random))),
  };
}

const spread = (ms: number, random: () => number): number => Math.round(ms * (0.9 + 0.2 * random()));

/** The first time from `atMs` on outside of these hours of the day (UTC); `atMs` if all hours are excluded. */
function outside(hours: readonly number[], atMs: number): number {
  const named = new Set(hours);
  for (let later = 0; later < HOURS_OF_A_DAY; later += 1) {
    const ms = later === 0 ? atMs : (Math.floor(atMs / HOUR_MS) + later) * HOUR_MS;
    if (!named.has(new Date(ms).getUTCHours())) return ms;
  }
  return atMs;
}
