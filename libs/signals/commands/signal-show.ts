import { ownedBy } from '#kernel/values/owned-by.js';
import { AnyJson, Id, Nullable, Type } from '#kernel/values/schema.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { detectionKey, detections } from '#projections/signals/detections/detections.projection.js';
import { unknownSignal } from '#signals/answers/unknown-signal.js';
import { DetectionAuthor, shortcutsIn } from '#signals/domain/runs/shortcut-facts.js';
import { markedText, MarkedText, SignalRow, signalRows } from './signal-row.js';

export const signalShow = operatorCommand({
  name: 'signal.show',
  forFinance: true,
  summary: 'Show one signal with its whole text, marked matches, payload and cost',
  input: Type.Object({ workspace_id: WorkspaceId, signal_id: described('id of the signal', Id) }),
  output: Type.Composite([
    SignalRow,
    Type.Object({
      author: Nullable(DetectionAuthor),
      post_text: MarkedText,
      comment_text: MarkedText,
      /** The text that identifies the finding: one agent or setup records a subject only once. */
      subject: Nullable(Type.String()),
      data: AnyJson,
    }),
  ]),
  async run({ readModels, requireWorkspace }, { workspace_id: workspaceId, signal_id: signalId }) {
    await requireWorkspace(workspaceId);
    const found = ownedBy(workspaceId, await readModels.get(detections, detectionKey(signalId)));
    if (found === null) throw unknownSignal();
    const [row] = await signalRows(readModels, workspaceId, [found]);
    if (row === undefined) throw unknownSignal();
    const { keywords } = row.details;
    return {
      ...row,
      author: shortcutsIn(found).author,
      post_text: markedText(row.details.post_text, keywords),
      comment_text: markedText(row.details.comment_text, keywords),
      subject: found.subject,
      data: found.data,
    };
  },
});
