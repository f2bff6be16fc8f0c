import type { ReferencePart } from '#http/reference.js';

const ACCOUNTS = ['TopAccount', 'MonitoredAccount'];

/** The top account list. */
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
      paused_reason: [
        'Reason of the pause: more credits are needed, or a cap refuses; null if the work is not paused.',
      ],
      credits_required: [
        'Credits that the next account needs; null while nothing waits for credits.',
        4,
        'credits',
      ],
      credits_available: ['Available credits; null while nothing waits for credits.', 1.5, 'credits'],
      last_submitted_at: ['When accounts were sent last, in UTC; null before the first.'],
    },
  },
];
