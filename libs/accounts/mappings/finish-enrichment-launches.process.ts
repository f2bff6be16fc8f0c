import { finishLaunch } from './finish-launch.js';
import {
  enrichmentLaunches,
  enrichmentLaunchKey,
  type EnrichmentLaunchDocument,
} from '#projections/accounts/enrichment-launches/enrichment-launches.projection.js';
import type { Process } from '#process-engine/process.js';
import { timedToDo } from '#process-engine/to-do.js';

/**
 * Completes launches whose reservation has expired, because their caller was lost: paid ones are launched, the rest
 * is dropped (OP-56).
 */
export const finishEnrichmentLaunches: Process<EnrichmentLaunchDocument> = {
  name: 'finish-enrichment-launches',
  lane: 'timers',
  atOnce: 6,
  toDo: timedToDo(enrichmentLaunches, { dueAt: 'leaseUntil', thenBy: 'requestId' }),
  key: ({ requestId }) => enrichmentLaunchKey(requestId),
  waitsFor: [enrichmentLaunches.name],

  async act(host, launch) {
    const { workspaceId, correlationId, reservedEventId } = launch;
    const context = {
      commandId: 'finish-launch',
      actor: { kind: 'process', id: finishEnrichmentLaunches.name },
      workspaceId,
      correlationId,
      causationId: reservedEventId,
    } as const;
    await finishLaunch(host, { ...launch, context });
  },
};
