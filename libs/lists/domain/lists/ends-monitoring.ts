import type { EventOf } from '#kernel/events/event.js';
import type { ListStreamEvents } from './list.events.js';

/** Whether a list may want fewer members monitored after the event, or fewer business units. */
export function endsMonitoring({ type, data }: EventOf<ListStreamEvents>): boolean {
  switch (type) {
    case 'ListArchived':
    case 'ListDeleted':
    case 'MembersRemoved':
      return true;
    case 'ListChanged':
      return data.changes.personaIds !== undefined || data.changes.defaultTrackingStatus !== undefined;
    case 'MemberTrackingSet':
      return data.trackingStatus !== 'followed';
    case 'ListMonitoringSet':
      return data.buckets === null;
    case 'MemberMonitoringSet':
      return data.monitoring === 'off';
    case 'ListCreated':
    case 'ListUnarchived':
    case 'ListRestored':
    case 'ListCrmBound':
    case 'ListTierAssigned':
    case 'MembersAdded':
    case 'MemberBucketSet':
    case 'MemberEnrichmentStarted':
    case 'MembersEnriched':
    case 'MembersNamed':
      return false;
  }
}
