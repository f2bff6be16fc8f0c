import { mergeVocabularies } from '#kernel/events/event-codec.js';
import type { Vocabulary } from '#kernel/events/event.js';
import { logEvents } from '#kernel/commands/log-identity.js';
import { sequenceEvents } from '#kernel/commands/ids.js';
import { agentEvents } from '#domain/agents/agent.events.js';
import { apiKeyEvents } from '#domain/api-keys/api-key.events.js';
import { catalogueEvents } from '#domain/catalogue/catalogue.events.js';
import { clockEvents } from '#domain/clock/clock.events.js';
import { companyEvents, companyIdentityEvents } from '#domain/companies/company.events.js';
import { contentRequestEvents } from '#domain/content-requests/content-request.events.js';
import { contentEvents } from '#domain/contents/content.events.js';
import { creditEvents } from '#domain/credits/credits.events.js';
import { leadEvents, leadIdentityEvents } from '#domain/leads/lead.events.js';
import { listEvents } from '#domain/lists/list.events.js';
import { mappingDayEvents, mappingEvents } from '#domain/mappings/mapping.events.js';
import { accountMonitoringEvents } from '#domain/monitoring/account-monitoring.events.js';
import { monitoringEvents } from '#domain/monitoring/monitoring.events.js';
import { partnerEvents } from '#domain/partners/partner.events.js';
import { personasEvents } from '#domain/personas/personas.events.js';
import { pricesEvents } from '#domain/prices/prices.events.js';
import { requestEvents } from '#domain/requests/request.events.js';
import { scheduleEvents } from '#domain/schedules/schedule.events.js';
import { launchEvents } from '#domain/signal-launches/launch.events.js';
import { manualDetectionEvents } from '#domain/signal-runs/manual-detection.js';
import { signalRunEvents } from '#domain/signal-runs/signal-run.events.js';
import { signalSetupEvents } from '#domain/signal-setups/signal-setup.events.js';
import { sourceEvents } from '#domain/sources/source.events.js';
import { submissionEvents } from '#domain/top-accounts/submission.events.js';
import { topAccountEvents } from '#domain/top-accounts/top-accounts.events.js';
import { workspaceEvents } from '#domain/workspaces/workspace.events.js';

/** Every event type that this version can read, by the category of the streams they stand on. */
export const vocabularies: { readonly [category: string]: Vocabulary } = {
  accountMonitoring: accountMonitoringEvents,
  agent: agentEvents,
  apiKey: apiKeyEvents,
  catalogue: catalogueEvents,
  clock: clockEvents,
  company: companyEvents,
  companyIdentity: companyIdentityEvents,
  contentIdentity: contentEvents,
  contentRequest: contentRequestEvents,
  credits: creditEvents,
  lead: leadEvents,
  leadIdentity: leadIdentityEvents,
  list: listEvents,
  log: logEvents,
  mapping: mappingEvents,
  mappingDay: mappingDayEvents,
  manualDetection: manualDetectionEvents,
  monitoring: monitoringEvents,
  partner: partnerEvents,
  personas: personasEvents,
  prices: pricesEvents,
  request: requestEvents,
  run: signalRunEvents,
  sequence: sequenceEvents,
  setup: { ...signalSetupEvents, ...scheduleEvents, ...launchEvents },
  source: sourceEvents,
  submission: submissionEvents,
  topAccounts: topAccountEvents,
  workspace: workspaceEvents,
};

export const allEvents: Vocabulary = mergeVocabularies(Object.values(vocabularies));
