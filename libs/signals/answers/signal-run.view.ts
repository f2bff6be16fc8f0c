import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { runStages } from '#projections/signals/signal-runs/run-filter.js';
import { RUN_TRIGGERS } from '#signals/domain/launches/launch.events.js';
import type { SignalRunDocument } from '#projections/signals/signal-runs/signal-runs.projection.js';

/** A run as it is answered singly and in lists (OP-37). */
export const SignalRunView = Type.Object(
  {
    signal_request_id: Id,
    stage: OneOf(...runStages),
    /** The agent or signal setup that was launched. */
    agent_id: Id,
    direction: OneOf('single', 'inbound', 'outbound'),
    trigger: OneOf(...RUN_TRIGGERS),
    lookback_days: Type.Integer({ minimum: 1 }),
    matches_found: Type.Integer({ minimum: 0 }),
    matches_dropped: Type.Integer({ minimum: 0 }),
    credits_spent: Type.Number(),
    /** The limit of the launch over all of its runs, and the rest of it; null: the launch has no limit. */
    max_credits: Nullable(Type.Number()),
    credits_left: Nullable(Type.Number()),
    created_at: Timestamp,
    completed_at: Nullable(Timestamp),
  },
  { title: 'SignalRun' },
);
export type SignalRunView = Readonly<Static<typeof SignalRunView>>;

/** `left` is the rest of the launch's limit from the ledger, if the ledger still knows the launch. */
export const signalRunView = (run: SignalRunDocument, left: string | null = null): SignalRunView => ({
  signal_request_id: run.id,
  stage: run.stage,
  agent_id: run.sourceId,
  direction: run.direction,
  trigger: run.trigger,
  lookback_days: run.lookbackDays,
  matches_found: run.matchesFound,
  matches_dropped: run.matchesDropped,
  credits_spent: toJsonNumber(fromStored(run.creditsSpent)),
  max_credits: shownCredits(run.maxCredits),
  credits_left: shownCredits(left ?? run.creditsLeft),
  created_at: run.createdAt,
  completed_at: run.completedAt,
});

/** A stored limit, or the rest of one, as a JSON number; null: no limit. */
export const shownCredits = (stored: string | null): number | null =>
  stored === null ? null : toJsonNumber(fromStored(stored));
