import { referenceOf } from '#http/reference.js';
import { companyMappings } from '../accounts/company-mappings/company-mappings.reference.js';
import { contentRequests } from '../accounts/content-requests/content-requests.reference.js';
import { topAccounts } from '../accounts/top-accounts/top-accounts.reference.js';
import { signalBuckets } from '../catalogue/signal-buckets/signal-buckets.reference.js';
import { signalTemplates } from '../catalogue/signal-templates/signal-templates.reference.js';
import { events } from '../delivery/events.reference.js';
import { webhooks } from '../delivery/webhooks/webhooks.reference.js';
import { companies } from '../identities/companies/companies.reference.js';
import { contents } from '../identities/contents/contents.reference.js';
import { leads } from '../identities/leads/leads.reference.js';
import { caps } from '../ledger/caps/caps.reference.js';
import { credits } from '../ledger/credits.reference.js';
import { usage } from '../ledger/usage/usage.reference.js';
import { lists } from '../lists/lists.reference.js';
import { members } from '../lists/members/members.reference.js';
import { personas } from '../lists/personas/personas.reference.js';
import { watchlists } from '../lists/watchlists/watchlists.reference.js';
import { monitoredLists } from '../monitoring/lists/monitored-lists.reference.js';
import { monitoring } from '../monitoring/monitoring.reference.js';
import { monitoredAccounts } from '../monitoring/top-accounts/monitored-accounts.reference.js';
import { agents } from '../signals/agents/agents.reference.js';
import { keywords } from '../signals/keywords/keywords.reference.js';
import { signalRuns } from '../signals/signal-runs/signal-runs.reference.js';
import { signalSetups } from '../signals/signal-setups/signal-setups.reference.js';
import { payloads } from '../signals/signals/payloads.reference.js';
import { signals } from '../signals/signals/signals.reference.js';
import { cursorEnvelope, everywhere } from './everywhere.reference.js';
import { service } from './service.reference.js';

/** What every field and parameter of the public API means: the texts are beside the endpoints that declare the fields. */
export const apiReference = referenceOf([
  everywhere,
  cursorEnvelope,
  ...agents,
  ...caps,
  ...companies,
  ...companyMappings,
  ...contentRequests,
  ...contents,
  ...credits,
  ...events,
  ...keywords,
  ...leads,
  ...lists,
  ...members,
  ...monitoredAccounts,
  ...monitoredLists,
  ...monitoring,
  ...payloads,
  ...personas,
  ...signalBuckets,
  ...signalRuns,
  ...signalSetups,
  ...signalTemplates,
  ...signals,
  ...topAccounts,
  ...usage,
  ...watchlists,
  ...webhooks,
  ...service,
]);
