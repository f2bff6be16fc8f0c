import type { ContentRequestEvents } from '#accounts/domain/content-requests/content-request.events.js';
import type { MappingEvents } from '#accounts/domain/mappings/mapping.events.js';
import type { TopAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import type { ListStreamEvents } from '#lists/domain/lists/list.events.js';
import type { AccountMonitoringEvents } from '#monitoring/domain/account-monitoring.events.js';
import { companyIdOfStream, type MonitoringEvents } from '#monitoring/domain/monitoring.events.js';
import type { LaunchEvents } from '#signals/domain/launches/launch.events.js';
import type { SignalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import type { Recorded } from '#kernel/events/event.js';
import type { WebhookEvents } from '#delivery/domain/webhooks/webhook.events.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** The types of events in the feed of a workspace. The list is open: a later version may add types. */
export const FEED_TYPES = [
  'signal.detected',
  'run.ended',
  'account.not_covered',
  'account.covered_again',
  'credits.low',
  'credits.run_out',
  'credits.expiring',
  'cap.reached',
  'mapping.completed',
  'content_request.failed',
  'top_account.resolved',
  'list.member_unresolved',
  'endpoint.disabled',
] as const;
export type FeedType = (typeof FEED_TYPES)[number];

/**
 * One entry of the feed of a workspace: its position and its object, without `data`, which each request renders from
 * the read models (DLV-04).
 */
export type FeedEntryDocument = {
  readonly workspaceId: number;
  /** The cursor: made of the event's id, so that copies and rebuilds of the log keep it. */
  readonly id: string;
  /** The position in the order of the workspace: that of the event, then the index within the event. */
  readonly position: string;
  readonly place: number;
  readonly type: FeedType;
  readonly occurredAt: string;
  /** The id of the object that the entry is about; the workspace, if it is about its balance. */
  readonly subjectId: number;
  /** The business unit of an account. */
  readonly personaId: number | null;
  /** Since when an account is not covered. */
  readonly since: string | null;
  readonly reason: string | null;
  /** The setup or agent of a signal or run, and the list of a member: fields for filters of a subscription. */
  readonly sourceId: number | null;
  /** The ledger entry of a notice about credits. */
  readonly noticeId: string | null;
  readonly listId: number | null;
};

type FeedPayloads = Pick<SignalRunEvents, 'SignalDetected'> &
  Pick<LaunchEvents, 'RunEnded'> &
  Pick<AccountMonitoringEvents, 'MonthsRefused'> &
  Pick<MonitoringEvents, 'MonitoringMonthFree'> &
  Pick<CreditPayloads, 'CreditsHeld' | 'CreditsLow' | 'CreditsRunOut' | 'CreditsExpiring' | 'CapReached'> &
  Pick<MappingEvents, 'MappingCompleted'> &
  Pick<ContentRequestEvents, 'ContentRequestFailed'> &
  Pick<TopAccountEvents, 'TopAccountFound'> &
  Pick<ListStreamEvents, 'MembersEnriched'> &
  Pick<WebhookEvents, 'WebhookEndpointDisabled'>;

/**
 * The order of the events of a workspace, the same for feed, streams and webhooks (DLV-01). A document is keyed by its
 * transition (DLV-02): an event that repeats the transition does not change the first entry.
 */
export const eventFeed = projection<FeedEntryDocument, FeedPayloads>()({
  name: 'event-feed',
  version: 5,
  compact: true,
  instants: ['occurredAt'],
  indexes: {
    inOrder: ['workspaceId', 'position', 'place'],
    ofAll: ['position', 'place'],
    ofType: ['workspaceId', 'type', 'position', 'place'],
    byId: ['workspaceId', 'id'],
    byTime: ['workspaceId', 'occurredAt', 'position', 'place'],
  },
  key: (event) => {
    const workspaceId = workspaceIdOf(event);
    switch (event.type) {
      case 'SignalDetected':
        return `signal_${event.data.detectionId}`;
      case 'RunEnded':
        return `run_${event.data.runId}`;
      case 'MonthsRefused':
        return event.data.units.map((unit) => notCoveredKey(workspaceId, unit));
      case 'CreditsHeld': {
        const again = coveredByHold(event.data);
        return again === null ? null : coveredAgainKey(workspaceId, again);
      }
      case 'MonitoringMonthFree': {
        const again = coveredByFree(event);
        return again === null ? null : coveredAgainKey(workspaceId, again);
      }
      case 'CreditsLow':
      case 'CreditsRunOut':
      case 'CreditsExpiring':
      case 'CapReached':
        // The ledger records each of these once.
        return `credits_${workspaceId}_${event.id}`;
      case 'MappingCompleted':
        return `mapping_${event.data.mappingId}_${event.data.version}`;
      case 'ContentRequestFailed':
        return `content-request_${event.data.requestId}`;
      case 'TopAccountFound':
        return `top-account_${event.data.accountId}_${event.data.foundAt}`;
      case 'MembersEnriched':
        return unresolvedOf(event.data).map((memberId) => unresolvedKey(event.data, memberId));
      case 'WebhookEndpointDisabled':
        return `endpoint-disabled_${event.data.endpointId}_${event.id}`;
    }
  },
  on: {
    SignalDetected: (known, event) =>
      known ??
      entry(event, {
        type: 'signal.detected',
        subjectId: event.data.detectionId,
        sourceId: event.data.setupId ?? event.data.agentId ?? null,
      }),
    RunEnded: (known, event) => known ?? entry(event, { type: 'run.ended', subjectId: event.data.runId }),
    MonthsRefused: (known, event, key) => {
      const workspaceId = workspaceIdOf(event);
      const { units, reason } = event.data;
      const place = units.findIndex((unit) => notCoveredKey(workspaceId, unit) === key);
      const unit = units[place];
      if (known !== null || unit === undefined) return known;
      const { companyId, personaId, since } = unit;
      const about = { type: 'account.not_covered', subjectId: companyId, personaId, since, reason } as const;
      return entry(event, about, place);
    },
    CreditsHeld: (known, event) => known ?? coveredAgain(event, coveredByHold(event.data)),
    MonitoringMonthFree: (known, event) => known ?? coveredAgain(event, coveredByFree(event)),
    CreditsLow: (known, event) => known ?? ofCredits(event, { type: 'credits.low' }),
    CreditsRunOut: (known, event) => known ?? ofCredits(event, { type: 'credits.run_out' }),
    CreditsExpiring: (known, event) =>
      known ?? ofCredits(event, { type: 'credits.expiring', subjectId: event.data.movementId }),
    CapReached: (known, event) =>
      known ?? ofCredits(event, { type: 'cap.reached', subjectId: event.data.capId }),
    MappingCompleted: (known, event) =>
      known ?? entry(event, { type: 'mapping.completed', subjectId: event.data.mappingId }),
    ContentRequestFailed: (known, event) =>
      known ?? entry(event, { type: 'content_request.failed', subjectId: event.data.requestId }),
    TopAccountFound: (known, event) =>
      known ?? entry(event, { type: 'top_account.resolved', subjectId: event.data.accountId }),
    MembersEnriched: (known, event, key) => {
      const place = unresolvedOf(event.data).findIndex(
        (memberId) => unresolvedKey(event.data, memberId) === key,
      );
      const memberId = unresolvedOf(event.data)[place];
      if (known !== null || memberId === undefined) return known;
      const about = { type: 'list.member_unresolved', subjectId: memberId } as const;
      return entry(event, { ...about, listId: event.data.listId }, place);
    },
    WebhookEndpointDisabled: (known, event) =>
      known ??
      entry(event, {
        type: 'endpoint.disabled',
        subjectId: event.data.endpointId,
        reason: event.data.reason,
      }),
  },
});

type About = Pick<FeedEntryDocument, 'type' | 'subjectId'> &
  Partial<Pick<FeedEntryDocument, 'personaId' | 'since' | 'reason' | 'sourceId' | 'noticeId' | 'listId'>>;

function entry(event: Recorded<unknown>, about: About, place = 0): FeedEntryDocument {
  return {
    workspaceId: workspaceIdOf(event),
    id: feedEntryId(event.id, place),
    position: event.position,
    place,
    occurredAt: recordedAtOf(event),
    personaId: null,
    since: null,
    reason: null,
    sourceId: null,
    noticeId: null,
    listId: null,
    ...about,
  };
}

const ofCredits = (
  event: Recorded<unknown>,
  about: Pick<About, 'type'> & Partial<Pick<About, 'subjectId'>>,
): FeedEntryDocument => entry(event, { subjectId: workspaceIdOf(event), noticeId: event.id, ...about });

/** The id of an entry: without a full stop, because a signed message is `id.timestamp.body`. */
const feedEntryId = (eventId: string, place: number): string => `evt_${eventId.replaceAll('-', '')}_${place}`;

type Unit = AccountMonitoringEvents['MonthsRefused']['units'][number];
const notCoveredKey = (workspaceId: number, { companyId, personaId, since }: Unit): string =>
  `not-covered_${workspaceId}_${companyId}_${personaId}_${since}`;

/** An account that a month covers again. */
type CoveredAgain = {
  readonly companyId: number;
  readonly personaId: number;
  readonly since: string;
};

const coveredAgainKey = (workspaceId: number, { companyId, personaId, since }: CoveredAgain): string =>
  `covered-again_${workspaceId}_${companyId}_${personaId}_${since}`;

function coveredByHold({ cause }: CreditPayloads['CreditsHeld']): CoveredAgain | null {
  const { companyId, personaId, notCoveredSince: since } = cause;
  if (since === undefined || companyId === undefined || personaId === undefined) return null;
  return { companyId, personaId, since };
}

function coveredByFree(event: Recorded<MonitoringEvents['MonitoringMonthFree']>): CoveredAgain | null {
  const { personaId, notCoveredSince: since } = event.data;
  return since === undefined ? null : { companyId: companyIdOfStream(event), personaId, since };
}

function coveredAgain(event: Recorded<unknown>, again: CoveredAgain | null): FeedEntryDocument | null {
  if (again === null) return null;
  const { companyId, personaId, since } = again;
  return entry(event, { type: 'account.covered_again', subjectId: companyId, personaId, since });
}

type Enriched = ListStreamEvents['MembersEnriched'];

/** Members that do not exist on the network; the network has no observation of members in `unheardOf`. */
const unresolvedOf = ({ members, unheardOf = [] }: Enriched): readonly number[] =>
  members.flatMap(({ memberId, profile }) =>
    profile === null && !unheardOf.includes(memberId) ? [memberId] : [],
  );

const unresolvedKey = ({ batch }: Enriched, memberId: number): string => `member_${memberId}_${batch}`;
