import type { ReferencePart } from '#http/reference.js';

const MOVEMENTS = ['Movement', 'MovementDetail'];
const BALANCES = ['CreditBalance', 'CreditBalanceWithLots'];
const WHEN = '2026-12-31T00:00:00.000Z';

/** Credits: the balance, what was charged and why, caps, and statements. */
export const credits: readonly ReferencePart[] = [
  {
    of: ['Cap', 'CapBody', 'QuotedCap'],
    fields: {
      scope: [
        'What the cap limits: the workspace, one signal setup, one agent, or what one API key asks for.',
      ],
      scope_id: ['The signal setup, agent or API key by its id; null where the scope is the workspace.', 17],
      period: ['The cap holds for each calendar day, ISO week or calendar month, in UTC.', 'month'],
      limit: ['What may be held in a period at most.', 500, 'credits'],
    },
  },
  {
    of: ['Cap', 'QuotedCap'],
    fields: {
      id: ['Id of the cap.', 3],
      spent: ['What was held in the period that runs, less what was released in it.', 120, 'credits'],
      resets_at: ['When the next period begins, in UTC.', '2026-08-01T00:00:00.000Z'],
      set_by: ['An operator alone can change what an operator has set.'],
    },
  },
  {
    of: ['CreditBalanceWithLots', 'StatementSummary'],
    fields: { expired: ['What has expired of all grants; `granted` is without it.', 40, 'credits'] },
  },
  {
    of: ['CreditBalanceWithLots'],
    fields: { expiring: ['What can be spent now and will expire, soonest first.'] },
  },
  {
    of: ['StatementSummary'],
    fields: { lots: ['The open lots with terms at the end of the statement.'] },
  },
  {
    of: ['CreditForecast'],
    fields: {
      at: ['When the forecast was made.', WHEN],
      balance: ['What can be spent now.', 120, 'credits'],
      burn: ['What is used in 24 hours, as lately, without monitored months.', 4, 'credits'],
      ends_on: ['The first day that is not covered or leaves less than one credit.', '2027-01-29'],
      days: ['The next 90 days, today first.'],
    },
  },
  {
    of: ['CreditThresholds'],
    fields: {
      credits: ['The thresholds in credits, highest first.'],
      days: ['The thresholds in days until the balance is foreseen to end, highest first.'],
      run_out: ['The end of the balance.'],
    },
  },
  {
    of: ['CreditsThreshold'],
    fields: { threshold: ['The balance that is told when it comes down to it.', 50, 'credits'] },
  },
  {
    of: ['RunOutThreshold'],
    fields: { threshold: ['The balance has ended below this.', 1, 'credits'] },
  },
  {
    of: ['DaysThreshold'],
    fields: { threshold: ['How long before its end the balance is told of.', 14, 'days'] },
  },
  {
    of: ['CreditsThreshold', 'DaysThreshold', 'RunOutThreshold'],
    fields: { armed: ['Whether it is told when it is crossed next.'] },
  },
  {
    of: ['ThresholdsBody'],
    fields: {
      credits: ['At which balances `credits.low` is told.', [200, 50], 'credits'],
      days: ['How long before the balance is foreseen to end `credits.low` is told.', [14], 'days'],
    },
  },
  {
    of: ['CreditForecastDay'],
    fields: {
      date: ['A day in UTC.', '2026-12-31'],
      used: ['What is used on this day; of today what is left of it.', 4, 'credits'],
      months: ['Monitored months that fall due on this day.', 10, 'credits'],
      granted: ['What recurring grants give on this day.', 0, 'credits'],
      expires: ['What expires on this day.', 0, 'credits'],
      balance: ['What can be spent after this day, below zero by what would be missing.', 106, 'credits'],
    },
  },
  {
    of: ['ExpiringCredits'],
    fields: {
      credits: ['What expires at that moment unless it is spent before.', 25, 'credits'],
      expires_at: ['When it expires, in UTC: it cannot be held at that moment or later.', WHEN],
    },
  },
  {
    of: ['LotTerms', 'Lot'],
    fields: {
      expires_at: ['When the lot expires, in UTC; null: never.', WHEN],
      priority: ['Lots with a lower priority are used first, from 0 to 100.', 50, 'rank'],
      promotional: ['Whether the lot was given and not paid for.'],
    },
  },
  {
    of: ['Lot'],
    fields: {
      lot: ['The lot, by the id of the movement that granted it.', 412, 'id'],
      granted_at: ['When the lot was granted, in UTC.', '2026-06-01T10:00:00.000Z'],
      granted: ['What the lot was granted with.', 100, 'credits'],
      free: ['What can still be held.', 25, 'credits'],
      held: ['Reserved for work under way.', 5, 'credits'],
      captured: ['Spent.', 30, 'credits'],
      withdrawn: ['Withdrawn, or taken by negative adjustments.', 0, 'credits'],
      expired: ['What expired before it was spent.', 40, 'credits'],
    },
  },
  {
    of: ['LotShare'],
    fields: {
      lot: ['The lot, by the id of the movement that granted it.', 412, 'id'],
      credits: ['What of the amount comes from the lot, or goes back to it.', 10, 'credits'],
    },
  },
  {
    of: ['StatementRow'],
    fields: {
      lots: ['Which lots with terms the amount comes from; the rest is credit without terms.'],
      terms: ['The terms of a grant that has any.'],
    },
  },
  {
    of: BALANCES,
    fields: {
      balance: ['What can be spent now: granted, less held, less captured.', 941.5, 'credits'],
      held: ['Reserved for work under way.', 12, 'credits'],
      captured: ['Spent, as far as the workspace pays itself.', 46.5, 'credits'],
      granted: ['Given to the workspace, less what was withdrawn, with corrections.', 1000, 'credits'],
    },
  },
  {
    of: [...BALANCES, 'AccountMonitoring'],
    fields: { is_billed: ['Whether anything costs credits here; where not, every cost is 0.'] },
  },
  {
    of: BALANCES,
    fields: {
      billing: ['Who pays: the workspace itself, its partner, or nobody.'],
      updated_at: ['When the balance changed last, in UTC.'],
    },
  },
  {
    of: ['CreditMovement', ...MOVEMENTS],
    fields: {
      id: ['Id of the movement.', 412],
      created_at: ['When the credits were held, in UTC.'],
    },
  },
  {
    of: ['CreditMovement', 'Movement'],
    fields: {
      status: ['`held` while the work is under way, then `captured` (spent) or `released` (given back).'],
      product: ['What was charged; new products may come.', 'keyword_match'],
      credits: ['What it costs, never rounded.', 10, 'credits'],
    },
  },
  {
    of: ['CreditMovement'],
    fields: {
      signal_template_key: [
        'Key of the template whose signal it was; null without one.',
        'competitor-content-engagement',
      ],
    },
  },
  {
    of: MOVEMENTS,
    fields: {
      ended_at: ['When it was captured or released, in UTC; null while it is held.'],
      payer: ['Who pays: the workspace, or a partner by its id.', 'workspace'],
      cause: ['What it was charged for.'],
    },
  },
  {
    of: ['Movement'],
    fields: { key: ['What is charged once at most under this name.', 'launch:1:post:post:811'] },
  },
  {
    of: ['MovementDetail'],
    fields: {
      kind: ['A charge for work, or a posting: a grant, a withdrawal, a correction.'],
      status: ['`held`, then `captured` (spent) or `released` (given back); a posting is `posted`.'],
      product: ['What was charged; null for a posting.', 'keyword_match'],
      credits: ['What a charge costs; of a posting by how much it changed what can be spent.', 10, 'credits'],
      key: [
        'What is charged or granted once at most under this name; null for a posting without one.',
        'launch:1:post:post:811',
      ],
      origin: ['What the ids of the cause are called now.'],
      corrections: ['Later corrections of this movement, the first hundred.'],
      entries: ['Its entries in the ledger, oldest first.'],
    },
  },
  {
    of: ['MovementCause'],
    fields: {
      kind: ['What kind of work it was, or that an operator did it.'],
      subject: ['What was found, by its name on the network.', 'post:post:811'],
      month: ['The month (UTC) of account monitoring that it paid.', '2026-07'],
      reason: ['Why an operator did it.', 'opening balance'],
      corrects: ['Id of the movement that this one corrects.', 411],
    },
  },
  {
    of: ['MovementOrigin'],
    fields: {
      signal: ['The signal that was paid; null where it was none.'],
      run: ['The run that found it; null where it was none.'],
      signal_setup: ['The signal setup that it was for; null where it was none or is gone.'],
      agent: ['The agent that it was for; null where it was none or is gone.'],
      company: ['The company that it was about; null where there is none.'],
      persona: ['The persona that it was for; null where there is none.'],
      wanted_by: [
        'Why the account was to be monitored when the month began, a hundred reasons at most; null for what was ' +
          'no month of monitoring.',
      ],
    },
  },
  {
    of: ['WantedBy'],
    fields: {
      kind: ['It is a member of a monitored list, or it was picked as a top account.', 'list'],
      list: ['The list; null where it was picked.'],
      member_id: ['Id of the member of that list; null where it was picked.', 31],
      account_id: ['Id of the top account that was picked; null where it was no pick.', 12],
    },
  },
  {
    of: ['OriginSignal'],
    fields: {
      id: ['Id of the detection.', 501],
      signal_type: ['What was detected.', 'keywordDetection'],
      detected_at: ['When it was detected, in UTC.'],
      source_url: [
        'Address of the post, interaction or job posting; null without a public one.',
        'https://www.network.example/posts/811',
      ],
      provenance: [
        'The readings of sources that showed it, at most 20; empty for what the operator piped in.',
      ],
    },
  },
  { of: ['OriginRun'], fields: { stage: ['How far the run is.', 'completed'] } },
  {
    of: ['MovementCorrection'],
    fields: {
      at: ['When it was corrected, in UTC.'],
      credits: ['By how much the correction changed what can be spent.', -2.5, 'credits'],
      reason: ['Why.', 'charged twice'],
    },
  },
  {
    of: ['LedgerEntry'],
    fields: {
      revision: ['Place in the ledger of the workspace, from 0.', 15, 'place'],
      type: ['What happened.', 'CreditsHeld'],
      recorded_at: ['When it was written, in UTC.'],
      actor: ['Who did it.'],
      command_id: ['Id of the command that did it; null where it has none.', 'run:1:batch:1:hold'],
      request_id: [
        'X-Request-Id of the request at the root of it; null where there was none.',
        '01a20377-016d-7311-839b-51cb434a9df5',
      ],
      reason: ['Why an operator did it; null where nobody said.', 'opening balance'],
      hash: [
        'Seal of this entry and of all before it (SHA-256).',
        '661215fbc444f6e7f19314baa56374bb3a83a1dca3ea1fada4375bc9448b8234',
      ],
    },
  },
  {
    of: ['Actor'],
    fields: {
      kind: ['An API key, an operator, or background work.', 'process'],
      id: ['Which of them.', 'execute-signal-run'],
    },
  },
  {
    of: ['StatementPage'],
    fields: {
      statement: ['The statement without its rows; the same on every page.'],
      data: ['Its rows, oldest first.'],
    },
  },
  {
    of: ['StatementSummary'],
    fields: {
      from: ['Begin of the period, inclusive, in UTC; null: from the first entry.'],
      to: ['End of the period, exclusive, in UTC; null: to the last entry.'],
      opening: ['What could be spent at the begin.', 1000, 'credits'],
      totals: ['What was spent in the period.'],
      closing: ['What could be spent at the end.', 958, 'credits'],
      revision: ['Place of the last entry that counts; null for a ledger without one.', 15, 'place'],
      hash: [
        'Seal of everything up to that entry (SHA-256); null for a ledger without one.',
        '52f923187fb88e98376429f6188080fb65bb151498bc471367c0c23264b377a9',
      ],
    },
  },
  {
    of: ['StatementTotals'],
    fields: {
      by_product: ['By what was charged.', { keyword_match: 20 }, 'credits'],
      by_cause: ['By kind of work.', { signal: 20 }, 'credits'],
      by_payer: ['By who pays.', { workspace: 20 }, 'credits'],
    },
  },
  {
    of: ['StatementRow'],
    fields: {
      revision: ['Place in the ledger.', 2, 'place'],
      at: ['When it was written, in UTC.'],
      kind: ['What happened.'],
      credits: ['By how much it changed what can be spent.', -10, 'credits'],
      spend: ['What was spent by it: of a capture, and of a correction of one.', 0, 'credits'],
      balance: ['What could be spent afterwards.', 990, 'credits'],
      key: [
        'What is charged or granted once at most under this name; null without one.',
        'launch:1:post:post:811',
      ],
      cause: ['What it was for.'],
      product: ['What was charged; null for a posting.', 'keyword_match'],
      payer: ['Who pays: the workspace, or a partner by its id.', 'workspace'],
    },
  },
  {
    of: ['AccountMonitoring'],
    fields: {
      price_per_account_credits: [
        'Price of today for one account in one business unit.',
        5,
        'credits a month',
      ],
      not_covered_since: [
        'When the first of the accounts that are not covered stopped being covered, in UTC; null where all are.',
      ],
      renewal_shortfall_credits: [
        'What is missing to pay for the accounts that are not covered for want of credits, in whole credits.',
        0,
        'credits',
      ],
      by_business_unit: ['Every active persona, also those without a monitored account.'],
    },
  },
  {
    of: ['AccountMonitoring', 'BusinessUnitMonitoring'],
    fields: {
      monitored_count: ['Accounts that are monitored, counted once in each business unit.', 17, 'accounts'],
      not_covered_count: ['Accounts that are due and were not paid for, for whatever reason.', 0, 'accounts'],
      monthly_cost_credits: ['What these cost at the price of today.', 85, 'credits a month'],
    },
  },
];
