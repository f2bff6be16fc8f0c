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
        'The scope of the cap: the workspace, one signal setup, one agent, or the requests of one API key.',
      ],
      scope_id: ['Id of the signal setup, agent or API key; null if the scope is the workspace.', 17],
      period: ['The cap holds for each calendar day, ISO week or calendar month, in UTC.', 'month'],
      limit: ['Most credits that can be held in a period.', 500, 'credits'],
    },
  },
  {
    of: ['Cap', 'QuotedCap'],
    fields: {
      id: ['Id of the cap.', 3],
      spent: ['Credits held in the current period, less credits released in it.', 120, 'credits'],
      resets_at: ['When the next period begins, in UTC.', '2026-08-01T00:00:00.000Z'],
      set_by: ['Who set the cap; a cap of an operator can only be changed by an operator.'],
    },
  },
  {
    of: ['CreditBalanceWithLots', 'StatementSummary'],
    fields: { expired: ['Expired credits of all grants; not part of `granted`.', 40, 'credits'] },
  },
  {
    of: ['CreditBalanceWithLots'],
    fields: { expiring: ['Available credits that will expire, soonest first.'] },
  },
  {
    of: ['StatementSummary'],
    fields: { lots: ['The open lots with terms at the end of the statement.'] },
  },
  {
    of: ['CreditForecast'],
    fields: {
      at: ['When the forecast was made.', WHEN],
      balance: ['Available credits.', 120, 'credits'],
      burn: ['Recent use in 24 hours, without monitored months.', 4, 'credits'],
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
    fields: { threshold: ['The balance at which the threshold is reported.', 50, 'credits'] },
  },
  {
    of: ['RunOutThreshold'],
    fields: { threshold: ['The balance has ended below this.', 1, 'credits'] },
  },
  {
    of: ['DaysThreshold'],
    fields: {
      threshold: ['Days before the end of the balance at which the threshold is reported.', 14, 'days'],
    },
  },
  {
    of: ['CreditsThreshold', 'DaysThreshold', 'RunOutThreshold'],
    fields: { armed: ['Whether the next crossing is reported.'] },
  },
  {
    of: ['ThresholdsBody'],
    fields: {
      credits: ['Balances at which `credits.low` is sent.', [200, 50], 'credits'],
      days: ['Days before the forecast end of the balance at which `credits.low` is sent.', [14], 'days'],
    },
  },
  {
    of: ['CreditForecastDay'],
    fields: {
      date: ['A day in UTC.', '2026-12-31'],
      used: ['Use of this day; for today of the rest of the day.', 4, 'credits'],
      months: ['Monitored months that fall due on this day.', 10, 'credits'],
      granted: ['Recurring grants of this day.', 0, 'credits'],
      expires: ['Credits that expire on this day.', 0, 'credits'],
      balance: ['Available credits after this day; negative by the missing credits.', 106, 'credits'],
    },
  },
  {
    of: ['ExpiringCredits'],
    fields: {
      credits: ['Credits that expire at that moment unless they are spent before.', 25, 'credits'],
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
      granted: ['Granted credits of the lot.', 100, 'credits'],
      free: ['Available credits of the lot.', 25, 'credits'],
      held: ['Reserved for work under way.', 5, 'credits'],
      captured: ['Spent.', 30, 'credits'],
      withdrawn: ['Withdrawn, or taken by negative adjustments.', 0, 'credits'],
      expired: ['Expired credits of the lot.', 40, 'credits'],
    },
  },
  {
    of: ['LotShare'],
    fields: {
      lot: ['The lot, by the id of the movement that granted it.', 412, 'id'],
      credits: ['The part of the amount that comes from the lot, or returns to it.', 10, 'credits'],
    },
  },
  {
    of: ['StatementRow'],
    fields: {
      lots: ['The lots with terms that the amount comes from; the rest is credit without terms.'],
      terms: ['The terms of a grant that has any.'],
    },
  },
  {
    of: BALANCES,
    fields: {
      balance: ['Available credits: granted, less held, less captured.', 941.5, 'credits'],
      held: ['Reserved for work under way.', 12, 'credits'],
      captured: ['Spent, as far as the workspace pays itself.', 46.5, 'credits'],
      granted: ['Granted credits, less withdrawn credits, with corrections.', 1000, 'credits'],
    },
  },
  {
    of: [...BALANCES, 'AccountMonitoring'],
    fields: { is_billed: ['Whether monitoring costs credits in this workspace; if not, every cost is 0.'] },
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
      product: ['The charged product; new products may be added.', 'keyword_match'],
      credits: ['Its cost, never rounded.', 10, 'credits'],
    },
  },
  {
    of: ['CreditMovement'],
    fields: {
      signal_template_key: [
        "Key of the signal's template; null without one.",
        'competitor-content-engagement',
      ],
    },
  },
  {
    of: MOVEMENTS,
    fields: {
      ended_at: ['When it was captured or released, in UTC; null while it is held.'],
      payer: ['Who pays: the workspace, or a partner by its id.', 'workspace'],
      cause: ['The cause of the charge.'],
    },
  },
  {
    of: ['Movement'],
    fields: { key: ['Charge key: it is charged at most once.', 'launch:1:post:post:811'] },
  },
  {
    of: ['MovementDetail'],
    fields: {
      kind: ['A charge for work, or a posting: a grant, a withdrawal, a correction.'],
      status: ['`held`, then `captured` (spent) or `released` (given back); a posting is `posted`.'],
      product: ['The charged product; null for a posting.', 'keyword_match'],
      credits: ['Cost of a charge; for a posting the change of the available credits.', 10, 'credits'],
      key: [
        'Key of the charge or grant, used at most once; null for a posting without a key.',
        'launch:1:post:post:811',
      ],
      origin: ['The objects that the ids of the cause name now.'],
      corrections: ['Later corrections of this movement, the first hundred.'],
      entries: ['Its entries in the ledger, oldest first.'],
    },
  },
  {
    of: ['MovementCause'],
    fields: {
      kind: ['Kind of the cause.'],
      subject: ['The found subject, by its ref on the network.', 'post:post:811'],
      month: ['The month (UTC) of account monitoring that it paid.', '2026-07'],
      reason: ['Why an operator did it.', 'opening balance'],
      corrects: ['Id of the movement that this one corrects.', 411],
    },
  },
  {
    of: ['MovementOrigin'],
    fields: {
      signal: ['The paid signal; null without one.'],
      run: ['The run that found it; null without one.'],
      signal_setup: ['The signal setup; null without one or if it was deleted.'],
      agent: ['The agent; null without one or if it was deleted.'],
      company: ['The company; null without one.'],
      persona: ['The persona; null without one.'],
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
      list: ['The list; null for a pick.'],
      member_id: ['Id of the member of that list; null for a pick.', 31],
      account_id: ['Id of the picked top account; null if it was no pick.', 12],
    },
  },
  {
    of: ['OriginSignal'],
    fields: {
      id: ['Id of the detection.', 501],
      signal_type: ['Type of the detection.', 'keywordDetection'],
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
      credits: ['Change of the available credits by the correction.', -2.5, 'credits'],
      reason: ['Why.', 'charged twice'],
    },
  },
  {
    of: ['LedgerEntry'],
    fields: {
      revision: ['Place in the ledger of the workspace, from 0.', 15, 'place'],
      type: ['What happened.', 'CreditsHeld'],
      recorded_at: ['When it was written, in UTC.'],
      actor: ['The actor.'],
      command_id: ['Id of the command; null if it has none.', 'run:1:batch:1:hold'],
      request_id: [
        'X-Request-Id of the request that caused it; null without a request.',
        '01a20377-016d-7311-839b-51cb434a9df5',
      ],
      reason: ['The reason that an operator gave; null without one.', 'opening balance'],
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
      opening: ['Available credits at the start.', 1000, 'credits'],
      totals: ['Credits spent in the period.'],
      closing: ['Available credits at the end.', 958, 'credits'],
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
      by_product: ['Charges by product.', { keyword_match: 20 }, 'credits'],
      by_cause: ['Charges by kind of cause.', { signal: 20 }, 'credits'],
      by_payer: ['Charges by payer.', { workspace: 20 }, 'credits'],
    },
  },
  {
    of: ['StatementRow'],
    fields: {
      revision: ['Place in the ledger.', 2, 'place'],
      at: ['When it was written, in UTC.'],
      kind: ['What happened.'],
      credits: ['Change of the available credits.', -10, 'credits'],
      spend: ['Spent credits of a capture, or of the correction of one.', 0, 'credits'],
      balance: ['Available credits afterwards.', 990, 'credits'],
      key: ['Key of the charge or grant, used at most once; null without a key.', 'launch:1:post:post:811'],
      cause: ['The cause.'],
      product: ['The charged product; null for a posting.', 'keyword_match'],
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
        'When the first of the uncovered accounts lost its coverage, in UTC; null if all are covered.',
      ],
      renewal_shortfall_credits: [
        'The missing credits for the accounts that are not covered because of the balance, in whole credits.',
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
      monthly_cost_credits: ['Their cost at the present price.', 85, 'credits a month'],
    },
  },
];
