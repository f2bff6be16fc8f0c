import type { CompanyIdentityEvents } from '#identities/domain/companies/company.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** The company that a handle or a domain was linked to, beside the names that the network has of it. */
export type LinkedNameDocument = { readonly companyId: number };

/** `identity`: `handle:<handle>` or `domain:<domain>`. */
export const linkedNameKey = (workspaceId: number, identity: string): string =>
  workspaceScoped(workspaceId, identity);

export const linkedNames = projection<LinkedNameDocument, Pick<CompanyIdentityEvents, 'IdentityLinked'>>()({
  name: 'linked-names',
  version: 1,
  indexes: {},
  key: (event) => linkedNameKey(workspaceIdOf(event), event.data.identity),
  on: { IdentityLinked: (_none, { data: { companyId } }) => ({ companyId }) },
});
