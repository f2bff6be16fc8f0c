import { mergeVocabularies } from '#kernel/events/event-codec.js';
import type { Vocabulary } from '#kernel/events/event.js';
import { logEvents } from '#kernel/commands/log-identity.js';
import { sequenceEvents } from '#kernel/commands/ids.js';
import { agentEvents } from '#signals/domain/agents/agent.events.js';
import { apiKeyEvents } from '#access/domain/api-keys/api-key.events.js';
import { consoleLinkEvents } from '#access/domain/links/console-link.events.js';
import { catalogueEvents } from '#catalogue/domain/templates/catalogue.events.js';
import { clockEvents } from '#clock/clock.events.js';
import { companyEvents, companyIdentityEvents } from '#identities/domain/companies/company.events.js';
import { contentRequestEvents } from '#accounts/domain/content-requests/content-request.events.js';
import { contentEvents } from '#identities/domain/contents/content.events.js';
import { creditOutlookEvents } from '#ledger/domain/credit-outlook.events.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import { leadEvents, leadIdentityEvents } from '#identities/domain/leads/lead.events.js';
import { listEvents } from '#lists/domain/lists/list.events.js';
import { mappingDayEvents, mappingEvents } from '#accounts/domain/mappings/mapping.events.js';
import { accountMonitoringEvents } from '#monitoring/domain/account-monitoring.events.js';
import { monitoringEvents } from '#monitoring/domain/monitoring.events.js';
import { operatorEvents } from '#access/domain/operators/operator.events.js';
import { paidSubjectEvents } from '#ledger/domain/paid-subjects.events.js';
import { partnerEvents } from '#catalogue/domain/partners/partner.events.js';
import { personasEvents } from '#lists/domain/personas/personas.events.js';
import { pricesEvents } from '#catalogue/domain/prices/prices.events.js';
import { requestEvents } from '#keyed-requests/request.events.js';
import { scheduleEvents } from '#signals/domain/schedules/schedule.events.js';
import { launchEvents } from '#signals/domain/launches/launch.events.js';
import { manualDetectionEvents } from '#signals/domain/runs/manual-detection.js';
import { batchEvents, signalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import { signalSetupEvents } from '#signals/domain/setups/signal-setup.events.js';
import { sourceEvents } from '#sources/domain/source.events.js';
import { submissionEvents } from '#accounts/domain/top-accounts/submission.events.js';
import { topAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { webhookEvents, webhookProgressEvents } from '#delivery/domain/webhooks/webhook.events.js';
import { workspaceEvents } from '#access/domain/workspaces/workspace.events.js';

/** Every event type that this version can read, by the category of their streams. */
export const vocabularies: { readonly [category: string]: Vocabulary } = {
  accountMonitoring: accountMonitoringEvents,
  agent: agentEvents,
  apiKey: apiKeyEvents,
  batch: batchEvents,
  catalogue: catalogueEvents,
  clock: clockEvents,
  company: companyEvents,
  companyIdentity: companyIdentityEvents,
  consoleLink: consoleLinkEvents,
  contentIdentity: contentEvents,
  contentRequest: contentRequestEvents,
  creditOutlook: creditOutlookEvents,
  credits: creditEvents,
  lead: leadEvents,
  leadIdentity: leadIdentityEvents,
  list: listEvents,
  log: logEvents,
  mapping: mappingEvents,
  mappingDay: mappingDayEvents,
  manualDetection: manualDetectionEvents,
  monitoring: monitoringEvents,
  operator: operatorEvents,
  paidSubjects: paidSubjectEvents,
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
  webhookProgress: webhookProgressEvents,
  webhooks: webhookEvents,
  workspace: workspaceEvents,
};

export const allEvents: Vocabulary = mergeVocabularies(Object.values(vocabularies));
