import type { Projection } from '#kernel/projections/projection.js';
import { accountPipelines } from './accounts/account-pipelines/account-pipelines.projection.js';
import { accountRequests } from './accounts/account-requests/account-requests.projection.js';
import { accountSubmissions } from './accounts/account-submissions/account-submissions.projection.js';
import { agents } from './signals/agents/agents.projection.js';
import { apiKeys } from './access/api-keys/api-keys.projection.js';
import { checkedMembers } from './signals/checked-members/checked-members.projection.js';
import { companies } from './identities/companies/companies.projection.js';
import { companyMappings } from './accounts/company-mappings/company-mappings.projection.js';
import { contentRanges } from './identities/content-ranges/content-ranges.projection.js';
import { contentRequestWork } from './accounts/content-request-work/content-request-work.projection.js';
import { contentRequests } from './accounts/content-requests/content-requests.projection.js';
import { contents } from './identities/contents/contents.projection.js';
import { creditBalances } from './ledger/credit-balances/credit-balances.projection.js';
import { creditMovements } from './ledger/credit-movements/credit-movements.projection.js';
import { creditNotices } from './ledger/credit-notices/credit-notices.projection.js';
import { creditOutlooks } from './ledger/credit-outlooks/credit-outlooks.projection.js';
import { creditPostings } from './ledger/credit-postings/credit-postings.projection.js';
import { detectionDays } from './signals/detection-days/detection-days.projection.js';
import { detections } from './signals/detections/detections.projection.js';
import { enrichmentLaunches } from './accounts/enrichment-launches/enrichment-launches.projection.js';
import { eventFeed } from './delivery/event-feed/event-feed.projection.js';
import { failedAccountRequests } from './accounts/failed-account-requests/failed-account-requests.projection.js';
import { leadPlaces } from './signals/lead-places/lead-places.projection.js';
import { leads } from './identities/leads/leads.projection.js';
import { listMembers } from './lists/list-members/list-members.projection.js';
import { linkedNames } from './identities/linked-names/linked-names.projection.js';
import { listedCompanies } from './lists/listed-companies/listed-companies.projection.js';
import { lists } from './lists/lists/lists.projection.js';
import { mappingProfiles } from './accounts/mapping-profiles/mapping-profiles.projection.js';
import { memberEnrichmentWork } from './lists/member-enrichment-work/member-enrichment-work.projection.js';
import { memberLandmarks } from './lists/member-landmarks/member-landmarks.projection.js';
import { membershipLogLandmarks } from './lists/membership-log-landmarks/membership-log-landmarks.projection.js';
import { membershipLogs } from './lists/membership-logs/membership-logs.projection.js';
import { missedLookUps } from './lists/missed-look-ups/missed-look-ups.projection.js';
import { monitoredMembers } from './monitoring/monitored-members/monitored-members.projection.js';
import { monitoredUnits } from './monitoring/monitored-units/monitored-units.projection.js';
import { monitoringPasses } from './signals/monitoring-passes/monitoring-passes.projection.js';
import { notFoundAccounts } from './accounts/not-found-accounts/not-found-accounts.projection.js';
import { monitoringWork } from './monitoring/monitoring-work/monitoring-work.projection.js';
import { auditLog } from './operations/audit-log/audit-log.projection.js';
import { consoleLinks } from './access/console-links/console-links.projection.js';
import { creditDays } from './ledger/credit-days/credit-days.projection.js';
import { operators } from './access/operators/operators.projection.js';
import { partners } from './catalogue/partners/partners.projection.js';
import { personas } from './lists/personas/personas.projection.js';
import { pickedAccounts } from './monitoring/picked-accounts/picked-accounts.projection.js';
import { listPrices } from './catalogue/prices/prices.projection.js';
import { schedules } from './signals/schedules/schedules.projection.js';
import { recurringGrants } from './ledger/recurring-grants/recurring-grants.projection.js';
import { reachedCompanies } from './signals/reached-companies/reached-companies.projection.js';
import { signalBuckets } from './catalogue/signal-buckets/signal-buckets.projection.js';
import { signalRunWork } from './signals/signal-run-work/signal-run-work.projection.js';
import { signalRuns } from './signals/signal-runs/signal-runs.projection.js';
import { standingQuestions } from './signals/standing-questions/standing-questions.projection.js';
import { signalSetups } from './signals/signal-setups/signal-setups.projection.js';
import { signalTemplates } from './catalogue/signal-templates/signal-templates.projection.js';
import { sources } from './sources/sources/sources.projection.js';
import { surfacedLeads } from './signals/surfaced-leads/surfaced-leads.projection.js';
import { topAccounts } from './accounts/top-accounts/top-accounts.projection.js';
import { webhookEndpointViews } from './delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { webhookProgressViews } from './delivery/webhook-progress/webhook-progress.projection.js';
import { workspaces } from './access/workspaces/workspaces.projection.js';
import { runBatches } from './signals/run-batches/run-batches.projection.js';
import { eventCauses } from './operations/event-causes/event-causes.projection.js';

/** Every read model there is: what the engine runs, rebuilds and verifies. */
export const projections: readonly Projection[] = [
  accountPipelines,
  accountRequests,
  accountSubmissions,
  agents,
  apiKeys,
  auditLog,
  checkedMembers,
  companies,
  companyMappings,
  consoleLinks,
  contentRanges,
  contentRequestWork,
  contentRequests,
  contents,
  creditBalances,
  creditDays,
  creditMovements,
  creditNotices,
  creditOutlooks,
  creditPostings,
  detectionDays,
  detections,
  enrichmentLaunches,
  eventFeed,
  failedAccountRequests,
  leadPlaces,
  leads,
  listPrices,
  listMembers,
  linkedNames,
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
  operators,
  partners,
  personas,
  pickedAccounts,
  schedules,
  reachedCompanies,
  recurringGrants,
  signalBuckets,
  signalRunWork,
  signalRuns,
  standingQuestions,
  signalSetups,
  signalTemplates,
  sources,
  surfacedLeads,
  topAccounts,
  webhookEndpointViews,
  webhookProgressViews,
  workspaces,
  runBatches,
  eventCauses,
];
