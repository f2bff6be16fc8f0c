import type { ReferencePart } from '#http/reference.js';

/** Top accounts with their monitoring. */
export const monitoredAccounts: readonly ReferencePart[] = [
  { of: ['MonitoredAccount'], fields: { monitoring: ['Whether it is monitored.'] } },
  {
    of: ['AccountMonitoringStatus'],
    fields: {
      status: [
        '`monitored`; `not_covered`: it should be, and is not, for the reason that is named; `monitored_elsewhere`: only in another business unit; `not_monitored`.',
      ],
      covered_until: ['End of the paid month, in UTC; null without one.'],
      not_covered_since: [
        'When the account lost its coverage, in UTC; null if it is covered or not monitored.',
      ],
      not_covered_reason: [
        'Why it is not covered: `credits`: the balance did not suffice; `cap`: a cap on spending did not allow it; `price`: monitoring has no price; `blocked`: the workspace was blocked; `not_observable`: the company has no page on the network and nothing was observed of it, or it is monitored under another of its names, so nothing is charged; more may come. Null where it is covered or not wanted.',
        'credits',
      ],
    },
  },
  {
    of: ['PickAccountsBody'],
    fields: {
      account_ids: ['Ids of accounts on the list, each once.', [21, 22]],
      persona_id: ['The business unit; optional with exactly one active persona.', 3],
      signal_buckets: [
        '`["essential"]` monitors the accounts, null stops it. Paid months are never refunded.',
      ],
    },
  },
  {
    of: ['PickedAccounts'],
    fields: { data: ['The accounts, each once, with their status for the business unit.'] },
  },
];
