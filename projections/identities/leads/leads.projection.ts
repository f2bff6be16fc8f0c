import type { LeadEvents, LeadIdentityEvents } from '#identities/domain/leads/lead.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A person of the workspace with the facts of the newest network revision that was copied. */
export type LeadDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly companyId: number | null;
  readonly rev: number;
  readonly facts: LeadIdentityEvents['LeadRegistered']['facts'];
};

export const leadKey = (id: number): string => String(id);

export const leads = projection<LeadDocument, LeadIdentityEvents & LeadEvents>()({
  name: 'leads',
  version: 2,
  compact: true,
  indexes: { byWorkspace: ['workspaceId', 'id'], byCompany: ['workspaceId', 'companyId', 'id'] },
  key: (event) => leadKey(event.data.leadId),
  on: {
    LeadRegistered: (_none, event) => ({
      id: event.data.leadId,
      workspaceId: workspaceIdOf(event),
      companyId: event.data.companyId,
      rev: event.data.rev,
      facts: event.data.facts,
    }),
    LeadUpdated: (lead, { data: { rev, facts, companyId } }) =>
      // Registration and updates are two streams: an update that is not newer than the registration is none.
      lead && (rev > lead.rev ? { ...lead, rev, facts, companyId } : lead),
  },
});
