import type { Condition, Filter, Sort } from '#kernel/ports/read-store.port.js';
import { RUN_OUTCOMES } from '#signals/domain/launches/launch.events.js';
import type { SignalRunDocument } from './signal-runs.projection.js';

export const runStages = ['running', ...RUN_OUTCOMES] as const;

/** The filters of a list of runs; null: any. */
export type WantedRuns = {
  /** The agent or setup that was launched. */
  readonly sourceId: number | null;
  readonly stages: readonly SignalRunDocument['stage'][] | null;
  readonly trigger: SignalRunDocument['trigger'] | null;
};

export const newestRunsFirst: Sort = [
  ['createdAt', 'desc'],
  ['id', 'desc'],
];

/** The filter of the read model. */
export function filterOfRuns(workspaceId: number, { sourceId, stages, trigger }: WantedRuns): Filter {
  const where: { [field: string]: Condition } = { workspaceId, listed: true };
  if (sourceId !== null) where['sourceId'] = sourceId;
  if (stages !== null) where['stage'] = { in: stages };
  if (trigger !== null) where['trigger'] = trigger;
  return { where };
}
