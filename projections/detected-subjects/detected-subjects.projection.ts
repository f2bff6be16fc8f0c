import type { SignalRunEvents } from '#domain/signal-runs/signal-run.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** That this agent or setup has reported this subject. */
export type DetectedSubjectDocument = { readonly detectionId: number };

/** Key of what an agent or setup has found once, for ever. */
export const detectedSubjectKey = (workspaceId: number, sourceId: number, subject: string): string =>
  `${workspaceId}:${sourceId}:${subject}`;

/** Decides duplicates of earlier launches, so it is read only where it has come past the previous RunEnded. */
export const detectedSubjects = projection<
  DetectedSubjectDocument,
  Pick<SignalRunEvents, 'SignalDetected'>
>()({
  name: 'detected-subjects',
  version: 1,
  critical: true,
  indexes: {},
  key: (event) => {
    const sourceId = event.data.setupId ?? event.data.agentId;
    // What was added by hand is nobody's find and shadows nothing.
    return sourceId === undefined
      ? null
      : detectedSubjectKey(workspaceIdOf(event), sourceId, event.data.subject);
  },
  on: {
    SignalDetected: (first, { data }) => first ?? { detectionId: data.detectionId },
  },
});
