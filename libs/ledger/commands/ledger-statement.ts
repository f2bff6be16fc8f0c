import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { fieldError } from '#kernel/values/refusal.js';
import { NamesOf, Type } from '#kernel/values/schema.js';
import {
  sealView,
  spendGroupView,
  StatementAnswer,
  statementView,
} from '#ledger/answers/statement.answer.js';
import { GROUPINGS, spendGroups } from '#ledger/history/spend-groups.js';
import type { LedgerSums } from '#ledger/history/ledger-sums.js';
import { statementBounds, statementPage } from '#ledger/history/statement-page.js';
import { presentSeal, wholeStatement, type StatementAt } from '#ledger/history/whole-statement.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { momentEnd, type LedgerHost } from '#ledger/history/ledger-history.js';
import { headForMoment } from './head-for-moment.js';
import { MomentInput, readPeriod, WithInput } from './ledger-inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

/** The maximum number of rows of a page. The cost of a page does not depend on the length of the period. */
const MOST_ROWS = 1_000;

export const ledgerStatement = operatorCommand({
  name: 'ledger.statement',
  forFinance: true,
  summary:
    'Show opening balance, every change with running balance, totals and closing balance; from inclusive, to exclusive',
  input: Type.Object({
    workspace_id: WorkspaceId,
    from: Type.Optional(described('date or timestamp, inclusive', Type.String())),
    to: Type.Optional(described('date or timestamp, exclusive', Type.String())),
    at: Type.Optional(MomentInput),
    with: Type.Optional(WithInput),
    rows: Type.Optional(
      described(
        'largest number of rows; the sums always cover the whole period',
        Type.Integer({ minimum: 0, maximum: MOST_ROWS }),
      ),
    ),
    rows_from: Type.Optional(
      described(
        'with rows: start at this revision of the ledger, as `next` shows it; default: the first of the period',
        Type.Integer({ minimum: 0 }),
      ),
    ),
    group_by: Type.Optional(described('adds totals by these, separated by commas', NamesOf(...GROUPINGS))),
  }),
  output: StatementAnswer,
  async run(host, input, _context, onProgress) {
    const { from, to } = readPeriod(input);
    const { workspace_id: workspaceId, rows: limit } = input;
    requireRowsFit(input);
    const { head, sums, moment: asOf } = await headForMoment(host, workspaceId, input.at);
    const range = { from, to, asOf, withActor: input.with === 'actor' };
    const by = GROUPINGS.filter((name) => input.group_by?.split(',').includes(name) === true);
    const statement =
      limit === undefined
        ? await groupedStatement(host, head, { workspaceId, range, by }, onProgress)
        : await statementPart(host, head, {
            workspaceId,
            range,
            limit,
            begin: input.rows_from ?? 0,
            known: sums,
          });
    // At a past moment the month is shown as it was then, closed or not, so the seal is left out.
    if (input.at !== undefined) return statement;
    const seal = await presentSeal(host.commands, workspaceId, range);
    return { ...statement, seal: seal === undefined ? undefined : sealView(seal) };
  },
});

type Asked = { readonly workspaceId: number; readonly range: StatementAt };

/** All rows, with their groups. */
async function groupedStatement(
  host: LedgerHost,
  head: StoredEvent,
  { workspaceId, range, by }: Asked & { readonly by: readonly (typeof GROUPINGS)[number][] },
  onProgress: OnProgress,
) {
  const read = await wholeStatement(host, head, workspaceId, range, onProgress);
  const groups = by.length === 0 ? {} : { groups: spendGroups(read.rows, by).map(spendGroupView) };
  return { ...statementView(read), ...groups };
}

/**
 * Some rows with the sums of the whole period. The sums are read from stored marks, so the cost does not grow with
 * the period.
 */
async function statementPart(
  host: LedgerHost,
  head: StoredEvent,
  {
    workspaceId,
    range,
    limit,
    begin,
    known,
  }: Asked & { readonly limit: number; readonly begin: number; readonly known: LedgerSums },
) {
  const { asOf, withActor } = range;
  const last = (await momentEnd(host, workspaceId, asOf, head)) - 1n;
  const bounds = await statementBounds(host.ledgers, workspaceId, range, last, head);
  const { first, end } = bounds;
  const wanted = BigInt(begin);
  const start = wanted < first ? first : wanted > end ? end : wanted;
  const place = { start, limit, withActor, known };
  const { summary, rows, next } = await statementPage(host.ledgers, workspaceId, range, bounds, place);
  return {
    ...statementView({ ...summary, workspaceId, rows }),
    entries: Number(end - first),
    next: next === null ? null : Number(next),
  };
}

/** Throws `invalidInput` if the options for rows contradict each other. */
function requireRowsFit({
  rows,
  rows_from: begin,
  group_by: groups,
}: {
  readonly rows?: number;
  readonly rows_from?: number;
  readonly group_by?: string;
}): void {
  if (rows !== undefined && groups !== undefined)
    throw invalidInput({
      errors: fieldError('rows', 'cannot be combined with group_by, which sums all rows'),
    });
  if (rows === undefined && begin !== undefined)
    throw invalidInput({ errors: fieldError('rows_from', 'goes with rows') });
}
