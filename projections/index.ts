import type { Projection } from '#kernel/projections/projection.js';
import { accountPipelines } from './account-pipelines/account-pipelines.projection.js';
import { accountRequests } from './account-requests/account-requests.projection.js';
import { accountSubmissions } from './account-submissions/account-submissions.projection.js';
import { agents } from './agents/agents.projection.js';
import { apiKeys } from './api-keys/api-keys.projection.js';
import { checkedMembers } from './checked-members/checked-members.projection.js';
import { companies } from './companies/companies.projection.js';
import { companyMappings } from './company-mappings/company-mappings.projection.js';
import { contentRanges } from './content-ranges/content-ranges.projection.js';
import { contentRequestWork } from './content-request-work/content-request-work.projection.js';
import { contentRequests } from './content-requests/content-requests.projection.js';
import { contents } from './contents/contents.projection.js';
import { creditBalances } from './credit-balances/credit-balances.projection.js';
import { creditMovements } from './credit-movements/credit-movements.projection.js';
import { creditPostings } from './credit-postings/credit-postings.projection.js';
import { detectionDays } from './detection-days/detection-days.projection.js';
import { detections } from './detections/detections.projection.js';
import { enrichmentLaunches } from './enrichment-launches/enrichment-launches.projection.js';
import { failedAccountRequests } from './failed-account-requests/failed-account-requests.projection.js';
import { leadPlaces } from './lead-places/lead-places.projection.js';
import { leads } from './leads/leads.projection.js';
import { listMembers } from './list-members/list-members.projection.js';
import { listedCompanies } from './listed-companies/listed-companies.projection.js';
import { lists } from './lists/lists.projection.js';
import { mappingProfiles } from './mapping-profiles/mapping-profiles.projection.js';
import { memberEnrichmentWork } from './member-enrichment-work/member-enrichment-work.projection.js';
import { memberLandmarks } from './member-landmarks/member-landmarks.projection.js';
import { membershipLogLandmarks } from './membership-log-landmarks/membership-log-landmarks.projection.js';
import { membershipLogs } from './membership-logs/membership-logs.projection.js';
import { missedLookUps } from './missed-look-ups/missed-look-ups.projection.js';
import { monitoredMembers } from './monitored-members/monitored-members.projection.js';
import { monitoredUnits } from './monitored-units/monitored-units.projection.js';
import { monitoringPasses } from './monitoring-passes/monitoring-passes.projection.js';
import { notFoundAccounts } from './not-found-accounts/not-found-accounts.projection.js';
import { monitoringWork } from './monitoring-work/monitoring-work.projection.js';
import { partners } from './partners/partners.projection.js';
import { personas } from './personas/personas.projection.js';
import { pickedAccounts } from './picked-accounts/picked-accounts.projection.js';
import { listPrices } from './prices/prices.projection.js';
import { schedules } from './schedules/schedules.projection.js';
import { reachedCompanies } from './reached-companies/reached-companies.projection.js';
import { signalBuckets } from './signal-buckets/signal-buckets.projection.js';
import { signalRunWork } from './signal-run-work/signal-run-work.projection.js';
import { signalRuns } from './signal-runs/signal-runs.projection.js';
import { signalSetups } from './signal-setups/signal-setups.projection.js';
import { signalTemplates } from './signal-templates/signal-templates.projection.js';
import { sources } from './sources/sources.projection.js';
import { surfacedLeads } from './surfaced-leads/surfaced-leads.projection.js';
import { topAccounts } from './top-accounts/top-accounts.projection.js';
import { workspaces } from './workspaces/workspaces.projection.js';

/** Every read model there is: what the engine runs, rebuilds and verifies. */
export const projections: readonly Projection[] = [
  accountPipelines,
  accountRequests,
  accountSubmissions,
  agents,
  apiKeys,
  checkedMembers,
  companies,
  companyMappings,
  contentRanges,
  contentRequestWork,
  contentRequests,
  contents,
  creditBalances,
  creditMovements,
  creditPostings,
  detectionDays,
  detections,
  enrichmentLaunches,
  failedAccountRequests,
  leadPlaces,
  leads,
  listPrices,
  listMembers,
  listedCompanies,
  lists,
  mappingProfiles,
  memberEnrichmentWork,
  memberLandmarks,
  membershipLogLandmarks,
  membershipLogs,
  missedLookUps,
  monitoredMembers,
  monitoredUnits,
  monitoringPasses,
  notFoundAccounts,
  monitoringWork,
  partners,
  personas,
  pickedAccounts,
  schedules,
  reachedCompanies,
  signalBuckets,
  signalRunWork,
  signalRuns,
  signalSetups,
  signalTemplates,
  sources,
  surfacedLeads,
  topAccounts,
  workspaces,
];
