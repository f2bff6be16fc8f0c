import type { EventOf } from '#kernel/events/event.js';
import { fromStored, toStored } from '#kernel/values/credits.js';
import { refusal } from '#kernel/values/refusal.js';
import {
  lastDueUntil,
  lastPassDueUntil,
  type ScheduleEvents,
  type ScheduleOwner,
} from '#signals/domain/schedules/schedule.events.js';
import type { KeptSchedule } from '#signals/domain/schedules/schedule-facts.js';
import { isDailyPass, type LaunchEvents, type RunEnded, type RunLaunched } from './launch.events.js';
import { belowOnePrice } from './limit-facts.js';

/** The part of a setup's or agent's state that decides "one run at a time", and how far the next one looks back. */
export type Launches = {
  /** Ids of the runs of the launch in progress; empty when none is. */
  readonly running: readonly number[];
  /** The last launch, ended or not; null before the first. */
  readonly last: { readonly at: string; readonly isPass: boolean } | null;
  /** `now` of the last launch of which not all runs failed; null when there was none (D-04). */
  readonly lastLaunchedAt: string | null;
  /** The same of monitoring passes alone. */
  readonly lastPassAt: string | null;
  /** Quotes that launches were approved by, while anybody may still send them. */
  readonly quotes: readonly UsedQuote[];
  /** Live passes; they are no launch that another one waits for or looks back to (LIV-03). */
  readonly live: LivePasses;
};

export type LivePasses = {
  /** Ids of the runs of the live pass in progress. */
  readonly running: readonly number[];
  /** The day of the last live pass (`2026-01-05`), and its first run in each direction. */
  readonly day: string;
  readonly first: readonly RunLaunched['runs'][number][];
};

/** A quote that was used, and for what. */
export type UsedQuote = NonNullable<RunLaunched['quote']> & { readonly runIds: readonly number[] };

/** Clocks of two hosts may differ: an expired quote is remembered for so long. */
const QUOTES_KEPT_MS = 60 * 60_000;

export const noLaunches: Launches = {
  running: [],
  last: null,
  lastLaunchedAt: null,
  lastPassAt: null,
  quotes: [],
  live: { running: [], day: '', first: [] },
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

/** Checks that no launch was approved by this quote (QUO-01). Throws `quoteUsed`, which names its runs. */
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
    return { ...launches, live: { running, day, first } };
  }
  return {
    ...launches,
    running,
    last: { at: launch.now, isPass: launch.trigger === 'monitoring' },
    quotes: quotesAfter(launches.quotes, launch),
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
  // What failed has looked at nothing that a later run may pass over.
  if (last === null || run.outcome === 'failed') return { ...launches, running };
  return {
    ...launches,
    running,
    lastLaunchedAt: last.at,
    lastPassAt: last.isPass ? last.at : launches.lastPassAt,
  };
}

type LaunchDecision = (state: { readonly launches: Launches }) => readonly EventOf<LaunchEvents>[];

/** Starts all runs of one launch; refused while any run of the previous one is in progress. */
export const launch =
  (input: RunLaunched): LaunchDecision =>
  ({ launches }) => {
    if (input.quote !== undefined) requireUnused(launches, input.quote.nonce);
    if (launches.running.length > 0) throw alreadyRunning();
    return [{ type: 'RunLaunched', data: input }];
  };

/** Records that one run of the launch has come to its end; a repetition changes nothing. */
export const endRun =
  (input: RunEnded): LaunchDecision =>
  ({ launches }) =>
    launches.running.includes(input.runId) || launches.live.running.includes(input.runId)
      ? [{ type: 'RunEnded', data: input }]
      : [];

/** What decides whether a run that is due is launched. */
export type Scheduled = KeptSchedule & {
  readonly enabled: boolean;
  /** The last time that was due and dealt with; null when none was since it was switched on. */
  readonly lastTickAt: string | null;
  readonly launches: Launches;
};

/** A time that is due: of a schedule, or of a monitoring pass. */
export type Tick = ScheduleOwner & {
  readonly dueAt: string;
  /** The launch, or the code of the refusal that it met. */
  readonly launch: RunLaunched | { readonly refused: string };
};

/**
 * Launches the run that is due, or records why not (OP-17). A time that was dealt with, that lies before one that
 * was, or that the schedule of now does not name changes nothing; nor does anything while it is disabled.
 */
export const tick =
  ({ launch: wanted, dueAt, ownerKind, ownerId }: Tick) =>
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
    // The limit is that of this moment, not of the one at which the launch was prepared.
    if (scheduleMaxCredits !== null && scheduleMaxCredits < fromStored(wanted.unitPrice))
      return skipped(belowOnePrice.code);
    const limit = scheduleMaxCredits === null ? {} : { maxCredits: toStored(scheduleMaxCredits) };
    return [
      { type: 'RunLaunched', data: { ...wanted, ...limit } },
      { type: 'ScheduleTicked', data: { ...ticked, outcome: 'launched', reason: null } },
    ];
  };

/** What decides whether a monitoring pass that is due is made. */
export type Monitored = {
  readonly enabled: boolean;
  /** When it was created or last enabled: its passes are counted from then. */
  readonly monitoredSince: string;
  /** The last time at which a pass was due that is dealt with; null while none was. */
  readonly lastPassDueAt: string | null;
  readonly launches: Launches;
};

/**
 * Launches the pass that is due, or records why not (D-33). A time that was dealt with, or that is none of its times
 * now, changes nothing; nor does anything while it is disabled.
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

/**
 * Launches a live pass (LIV-01). Nothing is recorded while the source is disabled or has a run in progress: the daily pass
 * finds the rest.
 */
export const livePass =
  (input: RunLaunched): ((state: Monitored) => readonly EventOf<LaunchEvents>[]) =>
  ({ enabled, launches: { running, live } }) => {
    if (!enabled || running.length > 0 || live.running.length > 0) return [];
    const first = live.day === dayOf(input) ? live.first : [];
    const runs = input.runs.map((run) => {
      const shown = first.find(({ direction }) => direction === run.direction);
      return shown === undefined ? run : { ...run, shownAs: shown.runId };
    });
    return [{ type: 'RunLaunched', data: { ...input, runs } }];
  };

/** A daily pass at `now` has dealt with every time up to then. */
export const passedAt = (launch: RunLaunched, before: string | null): string | null =>
  isDailyPass(launch) ? launch.now : before;

/** How events name an agent or setup: they share one id sequence, and each has a name of its own. */
export function namedSource({ kind, id }: RunLaunched['source']) {
  switch (kind) {
    case 'setup':
      return { setupId: id };
    case 'agent':
      return { agentId: id };
  }
}
