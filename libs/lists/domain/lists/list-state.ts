import type { ListStreamEvents, MonitoredBuckets } from './list.events.js';
import type { Membership } from './membership.js';

export type ListFacts = Omit<ListStreamEvents['ListCreated'], 'createdAt'>;

/** A list of companies or people; its facts are null before it was created. */
export type List = {
  readonly facts: ListFacts | null;
  readonly archivedAt: string | null;
  readonly deleted: boolean;
  /** The CRM that fills it; null where callers do. */
  readonly crm: string | null;
  /** As `ListMonitoringSet` left it. */
  readonly buckets: MonitoredBuckets;
  /** False: monitoring was never set on it or on a member of it. */
  readonly mayBeMonitored: boolean;
  readonly membership: Membership;
};
