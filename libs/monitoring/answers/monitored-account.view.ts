import { Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { MONITORING_STATUSES } from '#monitoring/account-statuses.js';
import { TopAccountView } from '#accounts/answers/top-account.view.js';

/** A top account as v3 answers it. */
export const MonitoredAccountView = Type.Object(
  {
    ...TopAccountView.properties,
    monitoring: Type.Object(
      {
        status: OneOf(...MONITORING_STATUSES),
        covered_until: Nullable(Timestamp),
        not_covered_since: Nullable(Timestamp),
        /** An open list: later versions may add values. */
        not_covered_reason: Nullable(Type.String()),
      },
      { title: 'AccountMonitoringStatus' },
    ),
  },
  { title: 'MonitoredAccount' },
);
