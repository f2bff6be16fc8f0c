import type { ReferencePart } from '#http/reference.js';

const ACCOUNTS = ['TopAccount', 'MonitoredAccount'];

/** The top account list, and which of its accounts are monitored. */
export const topAccounts: readonly ReferencePart[] = [
  {
    of: ACCOUNTS,
    fields: {
      id: ['Id of the account on the list.', 21],
      company: ['The company, as known now.'],
      imported_at: ['When it came to the list, in UTC.'],
      observed_at: [
        'When a source about the company was last read, even without news, in UTC; null if none was read.',
      ],
    },
  },
  {
    of: [...ACCOUNTS, 'NotFoundAccount', 'SubmittedAccount'],
    fields: { tier: ['Importance; null or absent if it is not set.'] },
  },
  {
    of: ['TopAccountCompany'],
    fields: { status: ['Always `found`: others are among the accounts that were not found.'] },
  },
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
        'Why it is not covered: `credits`: the balance did not suffice; `cap`: a cap on spending did not allow it; `price`: monitoring has no price; `blocked`: the workspace was blocked; `not_observable`: the company has no page on the network and nothing was observed of it, so nothing is charged; more may come. Null where it is covered or not wanted.',
        'credits',
      ],
    },
  },
  {
    of: ['NotFoundAccount'],
    fields: {
      id: ['Id of the account on the list.', 22],
      reason: ['Why no company was found.'],
      submitted_at: ['When it was sent last, in UTC.'],
    },
  },
  {
    of: ['SubmitAccountsBody'],
    fields: { accounts: ['The accounts, 1 to 10,000.'] },
  },
  {
    of: ['AcceptedAccounts'],
    fields: {
      accounts: ['The accounts as they were sent.'],
      message: [
        'What happens now, for a person to read.',
        '1 account accepted; it is being added to your top account list.',
      ],
      warnings: [
        'Notes about the list; absent without any.',
        ['The list will hold 2 accounts; 5 to 20 are recommended.'],
      ],
    },
  },
  {
    of: ['AcceptedAccounts', 'IngestionStatus'],
    fields: { tal_id: ['Id of the top account list; a workspace has one.', 1] },
  },
  {
    of: ['IngestionStatus'],
    fields: {
      status: ['Whether accounts are worked on, wait for credits (`paused`), or nothing is to do.'],
      pending: ['Accounts that are not looked up yet or wait for credits.', 3, 'accounts'],
      found: ['Accounts on the list.', 12, 'accounts'],
      not_found: ['Accounts for which no company was found.', 1, 'accounts'],
      mapping_in_progress: ['Accounts whose mapping is running.', 2, 'accounts'],
      paused_reason: ['What it waits for: more credits, or room under a cap; null where it does not wait.'],
      credits_required: [
        'Credits that the next account needs; null while nothing waits for credits.',
        4,
        'credits',
      ],
      credits_available: ['Available credits; null while nothing waits for credits.', 1.5, 'credits'],
      last_submitted_at: ['When accounts were sent last, in UTC; null before the first.'],
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
