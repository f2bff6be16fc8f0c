import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Amount } from '#kernel/values/amounts.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { runStages } from '#projections/signals/signal-runs/run-filter.js';
import type { SignalRunDocument } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { shownCredits } from '#signals/answers/signal-run.view.js';
import type { LaunchedBy } from './launched-by.js';
import { RUN_TRIGGERS } from '#signals/domain/launches/launch.events.js';

/** A run in lists for operators. */
export const RunRow = Type.Object({
  run_id: Id,
  /** The agent or setup that was launched. */
  agent_id: Id,
  agent_name: Nullable(Type.String()),
  stage: OneOf(...runStages),
  direction: OneOf('single', 'inbound', 'outbound'),
  trigger: OneOf(...RUN_TRIGGERS),
  lookback_days: Type.Integer(),
  found: Type.Integer(),
  dropped: Type.Integer(),
  credits_spent: Amount,
  /** The limit of the launch over all of its runs; null: no limit. */
  max_credits: Nullable(Amount),
  created_at: Timestamp,
  completed_at: Nullable(Timestamp),
});

export const runRow = (run: SignalRunDocument, launched: LaunchedBy | null): Static<typeof RunRow> => ({
  run_id: run.id,
  agent_id: run.sourceId,
  agent_name: launched?.name ?? null,
  stage: run.stage,
  direction: run.direction,
  trigger: run.trigger,
  lookback_days: run.lookbackDays,
  found: run.matchesFound,
  dropped: run.matchesDropped,
  credits_spent: toJsonNumber(fromStored(run.creditsSpent)),
  max_credits: shownCredits(run.maxCredits),
  created_at: run.createdAt,
  completed_at: run.completedAt,
});
