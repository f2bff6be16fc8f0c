import type { ContextOf } from './claim-all.js';
import { companyClaims } from './claim-companies.js';
import { contentClaims } from './claim-contents.js';
import type { ClaimHost } from './claim-host.js';
import { leadClaims } from './claim-leads.js';
import { companyEvents, companyIdentityEvents } from './domain/companies/company.events.js';
import { contentEvents } from './domain/contents/content.events.js';
import { leadEvents, leadIdentityEvents } from './domain/leads/lead.events.js';

/** The event types that claims append, for callers that wait for their read models. */
export const identityTypes: readonly string[] = [
  companyIdentityEvents,
  companyEvents,
  leadIdentityEvents,
  leadEvents,
  contentEvents,
].flatMap((vocabulary) => Object.keys(vocabulary));

/**
 * Creates the records of companies and people in the workspace. The first append to an identity's stream decides the id;
 * a repetition finds that id. Existing records are updated if the network has newer facts.
 */
export const identityClaims = (host: ClaimHost, workspaceId: number, contextOf: ContextOf) => ({
  ...companyClaims(host, workspaceId, contextOf),
  ...leadClaims(host, workspaceId, contextOf),
  ...contentClaims(host, workspaceId, contextOf),
});
