import { fromStored, toJsonNumber, type Credits } from '#kernel/values/credits.js';
import { Day, Nullable, OneOf, Type } from '#kernel/values/schema.js';
import { Amount } from '#kernel/values/amounts.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { eachPage } from '#kernel/projections/each-page.js';
import { available } from '#ledger/domain/books.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';
import type { LedgerSums } from '#ledger/history/ledger-sums.js';
import {
  creditDays,
  OLD_HOLDS,
  type CreditDayDocument,
} from '#projections/ledger/credit-days/credit-days.projection.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

type Sum = 'granted' | 'taken' | 'expired' | 'held' | 'released' | 'captured';

const eachSum = <Value>(of: (sum: Sum) => Value): { readonly [sum in Sum]: Value } => ({
  granted: of('granted'),
  taken: of('taken'),
  expired: of('expired'),
  held: of('held'),
  released: of('released'),
  captured: of('captured'),
});

const DayAnswer = Type.Object({
  day: Day,
  ...eachSum(() => Amount),
  /** Available credits at the end of the day. */
  balance: Amount,
});

export const ledgerDays = operatorCommand({
  name: 'ledger.days',
  forFinance: true,
  summary: 'Show the sums of a ledger by day (UTC) and the balance at the end of each day',
  input: Type.Object({
    workspace_id: WorkspaceId,
    from: Type.Optional(described('first day shown; default: the first day of the ledger', Day)),
    by: Type.Optional(
      described(
        'day (default), or week (from Monday) or month: one row each, named by the last of its days that has changes',
        OneOf('day', 'week', 'month'),
      ),
    ),
  }),
  output: Type.Object({
    /** The ledger entry up to which the days are summed. */
    revision: Type.Integer({ minimum: -1 }),
    balance: Amount,
    /** Available credits at the beginning of the first day shown; null if the ledger has no entry before that day. */
    opening: Nullable(Amount),
    days: Type.Array(DayAnswer),
  }),
  async run(host, { workspace_id: workspaceId, from = '', by = 'day' }) {
    await host.requireWorkspace(workspaceId);
    // Only the shown days are read: the balance before them comes from stored sums.
    const before = await sumsBeforeDay(host.ledgers, workspaceId, from);
    const found: CreditDayDocument[] = [];
    // Read together with the days, so that the end of an old hold is in both or in neither.
    const wanted = {
      where: { workspaceId },
      anyOf: [{ where: { day: OLD_HOLDS } }, { where: { day: { gt: OLD_HOLDS, gte: from } } }],
      sort: [['day', 'asc']] as const,
      limit: 2_000,
    };
    for await (const page of eachPage<CreditDayDocument>(host.readModels, creditDays, wanted))
      found.push(...page);
    const ends = found.find(({ day }) => day === OLD_HOLDS)?.ends ?? {};
    const opening = before === null ? 0n : available(before.books);
    let balance = opening;
    const rows: Row[] = [];
    let span = '';
    for (const document of found) {
      if (document.day === OLD_HOLDS) continue;
      const sums = sumsOf(document, ends[document.day]);
      const { granted, taken, expired, held, released } = sums;
      balance += granted - taken - expired - held + released;
      const last = rows.at(-1);
      const isOfLast = last !== undefined && spanOf(document.day, by) === span;
      if (isOfLast) rows.pop();
      span = spanOf(document.day, by);
      rows.push({ day: document.day, sums: isOfLast ? added(last.sums, sums) : sums, balance });
    }
    return {
      revision: Math.max(Number(before?.revision ?? -1), found.at(-1)?.revision ?? -1),
      balance: toJsonNumber(balance),
      opening: before === null ? null : toJsonNumber(opening),
      days: rows.map((row) => ({
        day: row.day,
        ...eachSum((sum) => toJsonNumber(row.sums[sum])),
        balance: toJsonNumber(row.balance),
      })),
    };
  },
});

type Sums = { readonly [sum in Sum]: Credits };
type Row = { readonly day: string; readonly sums: Sums; readonly balance: Credits };

const added = (one: Sums, other: Sums): Sums => eachSum((sum) => one[sum] + other[sum]);

/** The sums of a day, with the ends of old holds. */
const sumsOf = (
  document: CreditDayDocument,
  ends: { readonly released: string; readonly captured: string } | undefined,
): Sums =>
  eachSum((sum) => {
    const amount = fromStored(document[sum]);
    return ends !== undefined && (sum === 'released' || sum === 'captured')
      ? amount + fromStored(ends[sum])
      : amount;
  });

/** Day 0 (1970-01-01) was a Thursday; its week began three days earlier. */
const MONDAY = 3;

/** The key that the days of one row share. */
function spanOf(day: string, by: 'day' | 'week' | 'month'): string {
  if (by === 'day') return day;
  if (by === 'month') return day.slice(0, 7);
  return String(Math.floor((Date.parse(`${day}T00:00:00.000Z`) / DAY_MS + MONDAY) / 7));
}

/** The sums of a ledger at the beginning of a day; null if no entry is before it. */
async function sumsBeforeDay(
  ledgers: LedgerReader,
  workspaceId: number,
  day: string,
): Promise<LedgerSums | null> {
  const head = day === '' ? null : await ledgers.head(workspaceId);
  if (head === null) return null;
  const first = await ledgers.firstAt(workspaceId, `${day}T00:00:00.000Z`, head);
  return first === 0n ? null : ledgers.sumsBefore(workspaceId, first);
}
