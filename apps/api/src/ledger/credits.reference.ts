import type { ReferencePart } from '#http/reference.js';

const BALANCES = ['CreditBalance', 'CreditBalanceWithLots'];
const WHEN = '2026-12-31T00:00:00.000Z';

/** Credits: balance, lots, forecast, thresholds and statements. */
export const credits: readonly ReferencePart[] = [
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
      days: ['The thresholds in days until the forecast end of the balance, highest first.'],
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
      held: ['Credits on hold for running work.', 5, 'credits'],
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
      terms: ['The terms of a grant or adjustment that has any.'],
    },
  },
  {
    of: BALANCES,
    fields: {
      balance: ['Available credits: granted, less held, less captured.', 941.5, 'credits'],
      held: ['Credits on hold for running work.', 12, 'credits'],
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
      revision: ['Revision of the last included entry; null for an empty ledger.', 15, 'place'],
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
      revision: ['Revision in the ledger.', 2, 'place'],
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
];
