import type { SignalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A company with a top-priority signal of a setup, and the time of the last one. */
export type ReachedCompanyDocument = {
  readonly workspaceId: number;
  readonly setupId: number;
  readonly companyId: number;
  readonly lastDetectedAt: string;
};

export const reachedCompanyKey = (workspaceId: number, setupId: number, companyId: number): string =>
  `${workspaceId}_${setupId}_${companyId}`;

/** One document per company, so that counting them does not depend on the number of detections. */
export const reachedCompanies = projection<ReachedCompanyDocument, Pick<SignalRunEvents, 'SignalDetected'>>()(
  {
    name: 'reached-companies',
    version: 1,
    indexes: { bySetup: ['workspaceId', 'setupId', 'lastDetectedAt', 'companyId'] },
    key: (event) => {
      const { setupId, companyId, priority } = event.data;
      return setupId === undefined || companyId === null || priority !== 1
        ? null
        : reachedCompanyKey(workspaceIdOf(event), setupId, companyId);
    },
    on: {
      SignalDetected: (before, event) => {
        const { setupId, companyId } = event.data;
        if (setupId === undefined || companyId === null) return before;
        const detectedAt = recordedAtOf(event);
        const known = before?.lastDetectedAt ?? '';
        return {
          workspaceId: workspaceIdOf(event),
          setupId,
          companyId,
          lastDetectedAt: known > detectedAt ? known : detectedAt,
        };
      },
    },
  },
);
