import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { TopAccountTier } from '#domain/top-accounts/top-accounts.events.js';

const Text = Nullable(Type.String());

/** A top account as v2 answers it. */
export const TopAccountView = Type.Object({
  id: Id,
  company_id: Id,
  company: Type.Object({
    name: Text,
    domain: Text,
    network_url: Text,
    network_handle: Text,
    logo_url: Text,
    status: OneOf('found'),
  }),
  tier: Nullable(TopAccountTier),
  imported_at: Timestamp,
});

/** Whether an account is monitored: paid for, wanted and not paid, by another business unit, or not wanted (OP-26). */
export const MONITORING_STATUSES = [
  'monitored',
  'not_covered',
  'monitored_elsewhere',
  'not_monitored',
] as const;

/** A top account as v3 answers it. */
export const MonitoredAccountView = Type.Object({
  ...TopAccountView.properties,
  monitoring: Type.Object({
    status: OneOf(...MONITORING_STATUSES),
    covered_until: Nullable(Timestamp),
    not_covered_since: Nullable(Timestamp),
  }),
});
