import { apiKeyEvents } from '#access/domain/api-keys/api-key.events.js';
import { consoleLinkEvents } from '#access/domain/links/console-link.events.js';
import { operatorEvents } from '#access/domain/operators/operator.events.js';
import { workspaceEvents } from '#access/domain/workspaces/workspace.events.js';
import { contentRequestEvents } from '#accounts/domain/content-requests/content-request.events.js';
import { mappingEvents } from '#accounts/domain/mappings/mapping.events.js';
import { submissionEvents } from '#accounts/domain/top-accounts/submission.events.js';
import { topAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { partnerEvents } from '#catalogue/domain/partners/partner.events.js';
import { pricesEvents } from '#catalogue/domain/prices/prices.events.js';
import { catalogueEvents } from '#catalogue/domain/templates/catalogue.events.js';
import { webhookEvents } from '#delivery/domain/webhooks/webhook.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { projection } from '#kernel/projections/projection.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import { listEvents } from '#lists/domain/lists/list.events.js';
import { personasEvents } from '#lists/domain/personas/personas.events.js';
import { accountMonitoringEvents } from '#monitoring/domain/account-monitoring.events.js';
import { agentEvents } from '#signals/domain/agents/agent.events.js';
import { launchEvents } from '#signals/domain/launches/launch.events.js';
import { signalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import { scheduleEvents } from '#signals/domain/schedules/schedule.events.js';
import { signalSetupEvents } from '#signals/domain/setups/signal-setup.events.js';
import { sourceEvents } from '#sources/domain/source.events.js';

/** An event that an action wrote: its stream and revision, and a few of its values. */
export type AuditedEvent = {
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly about: { readonly [member: string]: string | number };
};

/** One action of an operator that changed something: every event that its command wrote. */
export type AuditDocument = {
  /** The id of the command. */
  readonly id: string;
  readonly at: string;
  readonly operator: string;
  /** `cli` if the name was not verified. */
  readonly via: string | null;
  readonly workspaceId: number | null;
  /** The type of its first event. */
  readonly what: string;
  /** The first of its events, and how many it wrote in all. */
  readonly events: readonly AuditedEvent[];
  readonly count: number;
  /** The request or call that it belongs to. */
  readonly correlationId: string;
};

/** An import writes thousands of events. */
const MOST_EVENTS = 10;

/** Members that say what an event is about. Hashes, secrets and texts of customers are not among them. */
const SUMMARY_FIELDS = [
  'movementId',
  'credits',
  'reason',
  'month',
  'keyId',
  'label',
  'name',
  'role',
  'linkId',
  'sourceId',
  'endpointId',
  'runId',
  'partnerId',
  'item',
  'billing',
  'capId',
  'status',
] as const;

/** What an operator can write: streams that machines alone write are not among them. */
const written = {
  ...accountMonitoringEvents,
  ...agentEvents,
  ...apiKeyEvents,
  ...catalogueEvents,
  ...consoleLinkEvents,
  ...contentRequestEvents,
  ...creditEvents,
  ...launchEvents,
  ...listEvents,
  ...mappingEvents,
  ...operatorEvents,
  ...partnerEvents,
  PersonaArchived: personasEvents.PersonaArchived,
  PersonaUnarchived: personasEvents.PersonaUnarchived,
  ...pricesEvents,
  ...scheduleEvents,
  ...signalRunEvents,
  ...signalSetupEvents,
  ...sourceEvents,
  ...submissionEvents,
  ...topAccountEvents,
  ...webhookEvents,
  ...workspaceEvents,
};

type Anything = { readonly [Type in keyof typeof written]: object };

/** The changes by operators, one document per command, from the events (CON-03). */
export const auditLog = projection<AuditDocument, Anything>()({
  name: 'audit-log',
  version: 4,
  instants: ['at'],
  indexes: {
    newestFirst: ['at'],
    byOperator: ['operator', 'at'],
    byWorkspace: ['workspaceId', 'at'],
    byWhat: ['what', 'at'],
  },
  onlyWith: { byWorkspace: 'workspaceId' },
  // One command may write events of several workspaces.
  acrossWorkspaces: true,
  key: ({ metadata }) => (metadata['actorKind'] === 'operator' ? (metadata['commandId'] ?? null) : null),
  on: Object.fromEntries(Object.keys(written).map((type) => [type, noted])),
});

function noted(before: AuditDocument | null, event: Recorded<object>, key: string): AuditDocument {
  const audited = {
    type: event.type,
    stream: event.stream,
    revision: Number(event.revision),
    about: aboutOf({ ...event.data }),
  };
  if (before !== null) {
    const events = before.events.length < MOST_EVENTS ? [...before.events, audited] : before.events;
    return { ...before, events, count: before.count + 1 };
  }
  const { actorId = '', actorVia = null, workspaceId, correlationId = '' } = event.metadata;
  return {
    id: key,
    at: recordedAtOf(event),
    operator: actorId,
    via: actorVia,
    workspaceId: workspaceId === undefined || workspaceId === '' ? null : Number(workspaceId),
    what: event.type,
    events: [audited],
    count: 1,
    correlationId,
  };
}

function aboutOf(data: { readonly [member: string]: unknown }): AuditedEvent['about'] {
  const about: { [member: string]: string | number } = {};
  for (const name of SUMMARY_FIELDS) {
    const value = data[name];
    if (typeof value === 'string' || typeof value === 'number') about[name] = value;
  }
  return about;
}
