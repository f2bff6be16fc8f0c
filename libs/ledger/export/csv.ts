import { csvCell } from '#kernel/values/csv-cell.js';
import { formatCredits, fromStored, parseCredits } from '#kernel/values/credits.js';
import { causeView } from '../answers/cause.answer.js';
import type { AmountsByName } from '#ledger/history/spend-totals.js';
import { statementParts, type StatementEnd, type StatementRow } from '#ledger/history/statement.js';
import type { ExportedLedger } from './exported-ledger.js';

const COLUMNS = [
  'row',
  'at',
  'movement_id',
  'revision',
  'credits_in',
  'credits_out',
  'spend',
  'balance',
  'product',
  'payer',
  'key',
  'cause',
  'launch_id',
  'run_id',
  'signal_setup_id',
  'agent_id',
  'subject',
  'request_id',
  'company_id',
  'persona_id',
  'month',
  'reason',
  'corrects',
  'hash',
] as const;

/** Columns of a ledger that has lots with terms. */
const LOT_COLUMNS = ['lots', 'expires_at', 'priority', 'promotional'] as const;
/** The actor of the entry, if actors were requested. */
const ACTOR_COLUMNS = ['actor', 'actor_via'] as const;
type Column = (typeof COLUMNS)[number] | (typeof LOT_COLUMNS)[number] | (typeof ACTOR_COLUMNS)[number];

type Cell = string | number | null | undefined;
type Cells = { readonly [Name in Column]?: Cell };

/**
 * The statement as CSV (RFC 4180): an opening, one row per change with the running balance, a closing, and the
 * totals. Incoming and outgoing credits have separate columns, so that no amount begins with a minus.
 */
export async function* ledgerCsv({
  history,
  range,
  sums,
  hasLots,
}: ExportedLedger): AsyncGenerator<string, void, undefined> {
  const columns: readonly Column[] = [
    ...COLUMNS,
    ...(hasLots ? LOT_COLUMNS : []),
    ...(range.withActor === true ? ACTOR_COLUMNS : []),
  ];
  const line = (cells: Cells): string => `${columns.map((column) => csvCell(cells[column])).join(',')}\r\n`;
  yield `${columns.join(',')}\r\n`;
  for await (const part of statementParts(history, range, sums)) {
    switch (part.part) {
      case 'opening':
        yield line({ row: 'opening', at: range.from, balance: exact(part.credits) });
        break;
      case 'row':
        yield line(rowCells(part.row));
        break;
      case 'end':
        yield endCells(part.end, range.to).map(line).join('');
        break;
    }
  }
}

function rowCells(row: StatementRow): Cells {
  const { cause } = row;
  return {
    ...causeView(cause.kind, cause),
    row: row.kind,
    at: row.at,
    movement_id: row.movementId,
    revision: row.revision,
    credits_in: row.credits > 0 ? exact(row.credits) : null,
    credits_out: row.credits < 0 ? exact(-row.credits) : null,
    spend: row.spend === 0 ? null : exact(row.spend),
    balance: exact(row.balance),
    product: row.product,
    payer: row.payer,
    key: row.key,
    cause: cause.kind,
    lots: row.lots?.map(({ lot, credits }) => `${lot}:${formatCredits(fromStored(credits))}`).join(' '),
    expires_at: row.terms?.expiresAt,
    priority: row.terms?.priority,
    promotional: row.terms === undefined ? null : row.terms.promotional ? 'yes' : 'no',
    actor: row.actor && `${row.actor.kind}/${row.actor.id}`,
    actor_via: row.actor?.via,
  };
}

function endCells({ closing, revision, hash, totals }: StatementEnd, to: string | null): readonly Cells[] {
  const totalLines = (row: string, column: 'product' | 'cause' | 'payer', amounts: AmountsByName) =>
    Object.entries(amounts).map(([name, spend]): Cells => ({ row, [column]: name, spend: exact(spend) }));
  return [
    { row: 'closing', at: to, revision, balance: exact(closing), hash },
    ...totalLines('total by product', 'product', totals.byProduct),
    ...totalLines('total by cause', 'cause', totals.byCause),
    ...totalLines('total by payer', 'payer', totals.byPayer),
  ];
}

/** An amount of an answer as a plain decimal: JSON numbers of credits are exact. */
function exact(credits: number): string {
  const micros = parseCredits(credits);
  return micros === null ? String(credits) : formatCredits(micros);
}
