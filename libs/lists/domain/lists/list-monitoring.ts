import type { EventOf } from '#kernel/events/event.js';
import { fieldError } from '#kernel/values/refusal.js';
import { kindOfList, type ListStreamEvents, type MonitoredBuckets } from './list.events.js';
import { invalidList, requireList, watchedBy, watches } from './list.js';
import { requireMember } from './list-members.js';
import type { List } from './list-state.js';
import type { MemberMonitoring } from './member.events.js';
import type { Member } from './membership.js';

type ListEvent = EventOf<ListStreamEvents>;

export const ESSENTIAL: MonitoredBuckets = ['essential'];

/** Monitors every member, or none (null), and removes the settings of single members; no event if nothing changes. */
export const setListMonitoring =
  (buckets: MonitoredBuckets) =>
  (state: List): ListEvent[] => {
    const { listId } = requireCompanyList(state);
    const isSame = (state.buckets === null) === (buckets === null);
    if (isSame && state.membership.monitoring.size === 0) return [];
    return [{ type: 'ListMonitoringSet', data: { listId, buckets } }];
  };

/** Sets the monitoring of one member, independent of the list; no event if nothing changes. */
export const setMemberMonitoring =
  (memberId: number, monitoring: MemberMonitoring) =>
  (state: List): ListEvent[] => {
    requireMember(state, memberId);
    const { listId } = requireCompanyList(state);
    if (state.membership.monitoring.get(memberId) === monitoring) return [];
    return [{ type: 'MemberMonitoringSet', data: { listId, memberId, monitoring } }];
  };

/** The facts of a list of companies; throws `invalidList` for one of people. */
export function requireCompanyList(state: List) {
  const facts = requireList(state);
  if (kindOfList(facts.type) === 'company') return facts;
  throw invalidList({ errors: fieldError('signal_buckets', 'only company lists can be monitored') });
}

/** Whether a member is monitored: by itself, or because the list is. */
const isMonitored = ({ buckets, membership }: List, memberId: number): boolean =>
  (membership.monitoring.get(memberId) ?? (buckets === null ? 'off' : 'essential')) === 'essential';

/** The members that the list wants monitored: only watched members, none of an archived list (OP-26). */
export function monitoredBy(state: List): readonly Member[] {
  if (state.facts === null || kindOfList(state.facts.type) !== 'company') return [];
  return watchedBy(state).filter(({ memberId }) => isMonitored(state, memberId));
}

/** Whether `monitoredBy` has this member. */
export function monitors(state: List, memberId: number): boolean {
  if (state.facts === null || kindOfList(state.facts.type) !== 'company') return false;
  return watches(state, memberId) && isMonitored(state, memberId);
}
