import type { Immutable } from '#kernel/events/event.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Id, Nullable, Type, type Static } from '#kernel/values/schema.js';
import type { DetectionDocument } from '#projections/signals/detections/detections.projection.js';
import { SignalSummary, summarizeSignals } from '#projections/signals/detections/signal-summary.js';
import { templateKeysOf } from '#projections/signals/signal-setups/template-keys.js';

/** A signal as v3 answers it. */
export const SignalView = Type.Object(
  {
    id: Id,
    /** null for signals of v2 agents and those added by hand. */
    signal_setup_id: Nullable(Id),
    signal_template_key: Nullable(Type.String()),
    ...Type.Omit(SignalSummary, ['id']).properties,
  },
  { title: 'Signal' },
);
export type SignalView = Immutable<Static<typeof SignalView>>;

/** Detections as v3 answers them, in the same order, with the current lead, company and template. */
export async function signalViews(
  readModels: ReadModels,
  workspaceId: number,
  rows: readonly DetectionDocument[],
): Promise<readonly SignalView[]> {
  const setupIds = rows.map(({ setupId }) => setupId);
  const [summaries, templateKeys] = await Promise.all([
    summarizeSignals(readModels, rows),
    templateKeysOf(
      readModels,
      workspaceId,
      setupIds.filter((setupId) => setupId !== null),
    ),
  ]);
  return summaries.map((summary, place): SignalView => {
    const setupId = setupIds[place] ?? null;
    const templateKey = setupId === null ? null : (templateKeys.get(setupId) ?? null);
    return { ...summary, signal_setup_id: setupId, signal_template_key: templateKey };
  });
}
