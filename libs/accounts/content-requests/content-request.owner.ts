import { workspaceScoped } from '#kernel/commands/decider.js';
import { contentRequest, fixOutcome } from '#accounts/domain/content-requests/content-request.js';
import type { Cause } from '#ledger/domain/credits.events.js';
import { dropMappings, mappingDay, mappingDayOf } from '#accounts/domain/mappings/mapping-day.js';
import { fenceRequest, mapping } from '#accounts/domain/mappings/mapping.js';
import { recordedMovements } from '#accounts/mappings/recorded-movements.js';
import {
  enrichmentLaunches,
  enrichmentLaunchKey,
} from '#projections/accounts/enrichment-launches/enrichment-launches.projection.js';
import { HOLD_LIFETIME_MS } from '#ledger/charging/expired-holds.js';
import type { ExpiredHolds, HoldOwner } from '#ledger/charging/hold-owner.js';

/** Content requests as hold owners, by the kind of hold: the launch, or an analysed profile. */
export const contentRequestOwner = (kind: Cause['kind']): HoldOwner => ({
  kind,
  workOf: ({ requestId }) => String(requestId),
  restsWhileBlocked: true,
  models: [enrichmentLaunches.name],

  async fence(host, expired, context) {
    const { workspaceId, requestId, expiredAt } = ofRequest(expired);
    const launch = await host.readModels.get(enrichmentLaunches, enrichmentLaunchKey(requestId));
    // An unconfirmed launch has no request, and gets none.
    if (launch !== null) {
      const stream = workspaceScoped(workspaceId, mappingDayOf(launch.companyId, launch.requestDate));
      const drop = dropMappings(launch, new Set([requestId]), 'not_confirmed');
      await host.commands.handle(mappingDay, stream, drop, { context: context('drop'), ...quietly });
    }
    const fence = fixOutcome('request_timed_out', expiredAt);
    const stream = workspaceScoped(workspaceId, requestId);
    const { answer } = await host.commands.handle(contentRequest, stream, fence, {
      ...quietly,
      context: context('fence'),
      answer: ({ outcome, created }) => ({ outcome, mappingId: created?.mappingId ?? null }),
    });
    if (answer.outcome === 'completed' || answer.mappingId === null) return;
    // The worker of the request may have decided on an older state, so the decision is made here.
    const { mappingId } = answer;
    await host.commands.handle(
      mapping,
      workspaceScoped(workspaceId, mappingId),
      fenceRequest(mappingId, requestId),
      { ...quietly, context: context('fence-mapping') },
    );
  },

  async recorded(host, expired) {
    const { workspaceId, requestId } = ofRequest(expired);
    const { launchMovement, mappingId } = await host.commands.load(
      contentRequest,
      workspaceScoped(workspaceId, requestId),
      ({ outcome, movementId, created }) => ({
        launchMovement: outcome === 'completed' ? movementId : null,
        mappingId: created?.mappingId ?? null,
      }),
    );
    const profiles = mappingId === null ? [] : await recordedMovements(host, workspaceId, mappingId);
    return new Set([...profiles, ...(launchMovement === null ? [] : [launchMovement])]);
  },
});

const quietly = { waitForReadModels: false } as const;

function ofRequest({ workspaceId, holds }: ExpiredHolds) {
  const [oldest] = holds;
  if (oldest === undefined || oldest.requestId === null) throw new Error('a hold of a request names it');
  const expiredAt = new Date(Date.parse(oldest.createdAt) + HOLD_LIFETIME_MS).toISOString();
  return { workspaceId, requestId: oldest.requestId, expiredAt };
}
