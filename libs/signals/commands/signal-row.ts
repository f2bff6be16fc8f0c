import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, Type, type Static } from '#kernel/values/schema.js';
import { markKeywords } from '#network/keyword-marks.js';
import type { DetectionDocument } from '#projections/signals/detections/detections.projection.js';
import { SignalSummary, summarizeSignals } from '#projections/signals/detections/signal-summary.js';
import { shortcutsIn } from '#signals/domain/runs/shortcut-facts.js';
import { launchedBy } from './launched-by.js';

/** A text in parts: parts that contain a keyword are matches. */
export const MarkedText = Type.Array(Type.Object({ text: Type.String(), match: Type.Boolean() }));
type MarkedText = Immutable<Static<typeof MarkedText>>;

/** A signal as v3 answers it, with its agent or setup and the beginning of its text. */
export const SignalRow = Type.Composite([
  SignalSummary,
  Type.Object({
    priority: Type.Integer({ minimum: 1, maximum: 2 }),
    run_id: Nullable(Id),
    /** The agent or setup that found it; null for a signal added by hand. */
    agent_id: Nullable(Id),
    agent_name: Nullable(Type.String()),
    excerpt: MarkedText,
  }),
]);

/** These detections in the same order, with the current lead, company, agent and setup. */
export async function signalRows(
  readModels: ReadModels,
  workspaceId: number,
  rows: readonly DetectionDocument[],
): Promise<readonly Immutable<Static<typeof SignalRow>>[]> {
  const [summaries, launched] = await Promise.all([
    summarizeSignals(readModels, rows),
    launchedBy(
      readModels,
      workspaceId,
      rows.map(({ sourceId }) => sourceId),
    ),
  ]);
  return summaries.flatMap((summary, place) => {
    const row = rows[place];
    if (row === undefined) return [];
    return [
      {
        ...summary,
        priority: row.priority,
        run_id: row.runId,
        agent_id: row.sourceId,
        agent_name: launched(row.sourceId)?.name ?? null,
        excerpt: markedText(shortcutsIn(row).excerpt, summary.details.keywords),
      },
    ];
  });
}

/** A text in which the found keywords are marked; empty if there is no text. */
export const markedText = (text: string | null, keywords: readonly string[] | null): MarkedText =>
  markKeywords(text ?? '', keywords ?? []).map(({ text: part, isMatch }) => ({ text: part, match: isMatch }));
