import type { EventOf } from '#kernel/events/event.js';
import { fromStored, toStored } from '#kernel/values/credits.js';
import { refusal } from '#kernel/values/refusal.js';
import { HOUR_MS } from '#kernel/values/durations.js';
import {
  lastDueUntil,
  lastPassDueUntil,
  type ScheduleEvents,
  type ScheduleOwner,
} from '#signals/domain/schedules/schedule.events.js';
import type { KeptSchedule } from '#signals/domain/schedules/schedule-facts.js';
import { isDailyPass, type LaunchEvents, type RunEnded, type RunLaunched } from './launch.events.js';
import { belowOnePrice } from './limit-facts.js';

/**
 * The part of a setup's or agent's state that enforces "one run at a time" and determines the look-back of the next
 * launch.
 */
export type Launches = {
  /** Ids of the runs of the launch in progress; empty if none is. */
  readonly running: readonly number[];
  /** The last launch, ended or not; null before the first. */
  readonly last: { readonly at: string; readonly isPass: boolean } | null;
  /** `now` of the last launch of which at least one run succeeded; null if there is none (D-04). */
  readonly lastLaunchedAt: string | null;
  /** The same for monitoring passes only. */
  readonly lastPassAt: string | null;
  /** Used quotes, as long as they can still be sent. */
  readonly quotes: readonly UsedQuote[];
  /** Live passes. Other launches neither wait for them nor look back to them (LIV-03). */
  readonly live: LivePasses;
};

export type LivePasses = {
  /** Ids of the runs of the live pass in progress. */
  readonly running: readonly number[];
  /** The day of the last live pass (`2026-01-05`), and its first run in each direction. */
  readonly day: string;
  readonly first: readonly RunLaunched['runs'][number][];
  /** The last live pass: when it was launched, and the time after which it searches; null before the first. */
  readonly last: { readonly at: string; readonly after: string } | null;
  /** A launch stopped the last live pass: the time after which the next one must search; else null (LIV-03). */
  readonly restAfter: string | null;
};

/** A used quote and its runs. */
export type UsedQuote = NonNullable<RunLaunched['quote']> & { readonly runIds: readonly number[] };

/** An expired quote is remembered this long, because the clocks of two hosts may differ. */
const QUOTES_KEPT_MS = HOUR_MS;

export const noLaunches: Launches = {
  running: [],
  last: null,
  lastLaunchedAt: null,
  lastPassAt: null,
  quotes: [],
  live: { running: [], day: '', first: [], last: null, restAfter: null },
};

export const alreadyRunning = refusal({
  code: 'already-running',
  kind: 'conflicting',
  detail: 'A run of this agent is already in progress.',
});

export const quoteUsed = refusal({
  code: 'quote-used',
  slug: 'quote-used',
  title: 'Quote used',
  kind: 'conflicting',
  detail: 'The quote was used before.',
});

/** Checks that no launch used this quote (QUO-01). Throws `quoteUsed`, which names the runs. */
export function requireUnused({ quotes }: Launches, nonce: string): void {
  const used = quotes.find((quote) => quote.nonce === nonce);
  if (used === undefined) return;
  throw quoteUsed({
    detail: `The quote was used before, by ${used.runIds.map((id) => `signal run ${id}`).join(' and ')}.`,
    members: { signal_request_ids: [...used.runIds] },
  });
}

export function launched(launches: Launches, launch: RunLaunched): Launches {
  const running = launch.runs.map((run) => run.runId);
  if (launch.live !== undefined) {
    const day = dayOf(launch);
    const first = launches.live.day === day ? launches.live.first : launch.runs;
    const last = { at: launch.now, after: launch.live.after };
    return { ...launches, live: { running, day, first, last, restAfter: null } };
  }
  const { live } = launches;
  return {
    ...launches,
    running,
    last: { at: launch.now, isPass: launch.trigger === 'monitoring' },
    quotes: quotesAfter(launches.quotes, launch),
    // A live pass in progress stops now, so it may leave a rest.
    live: live.running.length === 0 ? live : { ...live, restAfter: live.last?.after ?? null },
  };
}

const dayOf = ({ now }: Pick<RunLaunched, 'now'>): string => now.slice(0, '2026-01-05'.length);

function quotesAfter(quotes: Launches['quotes'], { now, quote, runs }: RunLaunched): Launches['quotes'] {
  const since = new Date(Date.parse(now) - QUOTES_KEPT_MS).toISOString();
  const kept = quotes.filter(({ expiresAt }) => expiresAt > since);
  return quote === undefined ? kept : [...kept, { ...quote, runIds: runs.map(({ runId }) => runId) }];
}

export function ended(launches: Launches, run: RunEnded): Launches {
  const { last, live } = launches;
  if (live.running.includes(run.runId))
    return { ...launches, live: { ...live, running: live.running.filter((runId) => runId !== run.runId) } };
  const running = launches.running.filter((runId) => runId !== run.runId);
  // A failed run covered no time that a later run may skip.
  if (last === null || run.outcome === 'failed') return { ...launches, running };
  return {
    ...launches,
    running,
    lastLaunchedAt: last.at,
    lastPassAt: last.isPass ? last.at : launches.lastPassAt,
    // A daily pass has searched the rest of live passes, too.
    live: last.isPass ? { ...live, restAfter: null } : live,
  };
}

type LaunchDecision = (state: { readonly launches: Launches }) => readonly EventOf<LaunchEvents>[];

/** Starts all runs of one launch; refused while a run of the previous launch is in progress. */
export const launch =
  (input: RunLaunched): LaunchDecision =>
  ({ launches }) => {
    if (input.quote !== undefined) requireUnused(launches, input.quote.nonce);
    if (launches.running.length > 0) throw alreadyRunning();
    return [{ type: 'RunLaunched', data: input }];
  };

/** Records the end of one run of the launch. Idempotent. */
export const endRun =
  (input: RunEnded): LaunchDecision =>
  ({ launches }) =>
    launches.running.includes(input.runId) || launches.live.running.includes(input.runId)
      ? [{ type: 'RunEnded', data: input }]
      : [];

/** The state that decides whether a due run is launched. */
export type Scheduled = KeptSchedule & {
  readonly enabled: boolean;
  /** The last due time that was launched or skipped; null if there is none since the schedule was switched on. */
  readonly lastTickAt: string | null;
  readonly launches: Launches;
};

/** A due time, either of a schedule or of a monitoring pass. */
export type Tick = ScheduleOwner & {
  readonly dueAt: string;
  /** The launch, or the code of its refusal. */
  readonly launch: RunLaunched | { readonly refused: string };
  /** Whether the workspace or a partner pays; a limit has no effect otherwise. */
  readonly isBilled: boolean;
};

/**
 * Launches the due run, or records why not (OP-17). Ignored: a due time that is not later than the last recorded one,
 * one that the current schedule does not have, and any time while the source is disabled.
 */
export const tick =
  ({ launch: wanted, dueAt, ownerKind, ownerId, isBilled }: Tick) =>
  (state: Scheduled): readonly EventOf<LaunchEvents & ScheduleEvents>[] => {
    const { enabled, scheduleAnchorAt, scheduleMaxCredits, lastTickAt, launches } = state;
    if (!enabled || scheduleAnchorAt === null || (lastTickAt !== null && dueAt <= lastTickAt)) return [];
    if (lastDueUntil(scheduleAnchorAt, dueAt) !== dueAt) return [];
    const ticked = { ownerKind, ownerId, dueAt } as const;
    const skipped = (reason: string): readonly EventOf<ScheduleEvents>[] => [
      { type: 'ScheduleTicked', data: { ...ticked, outcome: 'skipped', reason } },
    ];
    if (launches.running.length > 0) return skipped(alreadyRunning.code);
    if ('refused' in wanted) return skipped(wanted.refused);
    // Checked again with the current limit, which may have changed since the launch was prepared.
    if (isBilled && scheduleMaxCredits !== null && scheduleMaxCredits < fromStored(wanted.unitPrice))
      return skipped(belowOnePrice.code);
    const limit = scheduleMaxCredits === null ? {} : { maxCredits: toStored(scheduleMaxCredits) };
    return [
      { type: 'RunLaunched', data: { ...wanted, ...limit } },
      { type: 'ScheduleTicked', data: { ...ticked, outcome: 'launched', reason: null } },
    ];
  };

/** The state that decides whether a due monitoring pass is launched. */
export type Monitored = {
  readonly enabled: boolean;
  /** When it was created or last enabled: due times of passes are counted from then. */
  readonly monitoredSince: string;
  /** The last due time that was launched or skipped; null if there is none. */
  readonly lastPassDueAt: string | null;
  readonly launches: Launches;
};

/**
 * Launches the due pass, or records why not (D-33). Ignored: a due time that was already recorded or that is none of
 * the source's current times, and any time while the source is disabled.
 */
export const pass =
  ({ launch: wanted, dueAt, ownerKind, ownerId }: Tick) =>
  (state: Monitored): readonly EventOf<LaunchEvents & ScheduleEvents>[] => {
    const { enabled, monitoredSince, lastPassDueAt, launches } = state;
    if (!enabled || (lastPassDueAt !== null && dueAt <= lastPassDueAt)) return [];
    if (lastPassDueUntil(monitoredSince, dueAt) !== dueAt) return [];
    const reason =
      launches.running.length > 0 ? alreadyRunning.code : 'refused' in wanted ? wanted.refused : null;
    if (reason !== null)
      return [{ type: 'MonitoringPassSkipped', data: { ownerKind, ownerId, dueAt, reason } }];
    return 'refused' in wanted ? [] : [{ type: 'RunLaunched', data: wanted }];
  };

/** The minimum time between two live passes of an agent or setup, in product time (LIV-01). */
const LIVE_PASS_EVERY_MS = 20_000;

/** Whether these moments are too close for two live passes; in either order, because a clock may be set back. */
export const isTooSoon = (lastMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - lastMs) < LIVE_PASS_EVERY_MS;

/** Whether a live pass must wait: a run is in progress, or the last live pass was launched just now. */
export const mustWait = ({ running, live }: Launches, now: Date): boolean =>
  running.length > 0 ||
  live.running.length > 0 ||
  (live.last !== null && isTooSoon(Date.parse(live.last.at), now.getTime()));

/**
 * Launches a live pass (LIV-01). Nothing is recorded while the source is disabled or must wait: the next live pass or
 * the daily pass finds the rest.
 */
export const livePass =
  (input: RunLaunched): ((state: Monitored) => readonly EventOf<LaunchEvents>[]) =>
  ({ enabled, launches }) => {
    if (!enabled || mustWait(launches, new Date(input.now))) return [];
    const { live } = launches;
    const first = live.day === dayOf(input) ? live.first : [];
    const runs = input.runs.map((run) => {
      const shown = first.find(({ direction }) => direction === run.direction);
      return shown === undefined ? run : { ...run, shownAs: shown.runId };
    });
    return [{ type: 'RunLaunched', data: { ...input, runs } }];
  };

/** A daily pass at `now` covers every due time up to then. */
export const passedAt = (launch: RunLaunched, before: string | null): string | null =>
  isDailyPass(launch) ? launch.now : before;

/** The name of an agent or setup in events. Both share one id sequence, and each kind has its own member. */
export function namedSource({ kind, id }: RunLaunched['source']) {
  switch (kind) {
    case 'setup':
      return { setupId: id };
    case 'agent':
      return { agentId: id };
  }
}
