import { startOf, type Instant } from '#kernel/values/instants.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { creditAccountUnknown } from '#ledger/domain/credit-account.js';
import {
  StatementRowAnswer,
  statementRowView,
  StatementSummaryAnswer,
  statementSummaryView,
  type StatementRowView,
  type StatementSummaryView,
} from '#ledger/answers/statement.answer.js';
import { headAfterExpiries } from '#ledger/history/record-expiries.js';
import {
  statementBounds,
  statementPage,
  type StatementBounds,
  type StatementPlace,
} from '#ledger/history/statement-page.js';
import { cursorRefused, type CursorScope } from '#http/cursors.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { cursorPageV3, CursorPageV3Of } from '#http/paging.js';
import { cursorQuery, instantQuery, integerQuery, limitQuery, type ValuesOf } from '#http/parameters.js';
import { invalidRequest } from '#http/problem.js';
import { handle } from '../handle.js';
import type { ApiPorts } from '../ports.js';

type Page = ReturnType<typeof cursorPageV3<StatementRowView>> & { readonly statement: StatementSummaryView };

const query = {
  from: instantQuery(400),
  to: instantQuery(400),
  revision: integerQuery({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, otherwise: null, invalid: 400 }),
  cursor: cursorQuery(),
  limit: limitQuery(),
};
type Asked = ValuesOf<typeof query>;

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/credits/statement',
  summary: 'Get the statement of a period: opening, every change with its running balance, closing',
  description:
    'Oldest first. `from` is inclusive, `to` exclusive; a date is 00:00Z of that day; either may be left ' +
    'out. `statement` is the same on every page: the first page fixes the ledger revision; later entries ' +
    'are not included. The same period at the same `revision` is the same statement for ever; `hash` seals ' +
    'everything up to that revision. `credits` is the change of the available credits; a capture changes ' +
    'nothing there and shows what was spent in `spend`.',
  query,
  response: Type.Composite(
    [Type.Object({ statement: StatementSummaryAnswer }), CursorPageV3Of(StatementRowAnswer)],
    { title: 'StatementPage' },
  ),
  problems: [cursorRefused],
})
export class GetStatement extends EndpointQuery<Page, { query: typeof query }> {}

handle(GetStatement, async ({ workspaceId, query: asked }, ports): Promise<Page> => {
  const period = { from: isoOf(asked.from), to: isoOf(asked.to) };
  if (period.from !== null && period.to !== null && period.from > period.to) {
    throw invalidRequest('query', 400, fieldError('from', 'must not be after to'));
  }
  const filters = { ...period, revision: asked.revision };
  const scope = { endpoint: 'credits/statement', workspaceId, filters };
  const { bounds, ...place } = await placeOf(ports, asked, period, scope);
  const { summary, rows, next } = await statementPage(ports.ledgers, workspaceId, period, bounds, place);
  const fixed = { first: Number(bounds.first), end: Number(bounds.end) };
  const cursor = next === null ? null : ports.cursors.encode(scope, { keys: [Number(next)], fixed });
  return { statement: statementSummaryView(summary), ...cursorPageV3(rows.map(statementRowView), cursor) };
});

/**
 * The bounds of the statement and the first entry of the page: computed for the first page, then taken from the
 * cursor.
 */
async function placeOf(
  ports: ApiPorts,
  { cursor, revision, limit }: Asked,
  period: { readonly from: string | null; readonly to: string | null },
  scope: CursorScope,
): Promise<StatementPlace & { readonly bounds: StatementBounds }> {
  if (cursor !== null) {
    const { keys, fixed } = ports.cursors.decode(cursor, scope, 'was issued for another statement');
    const bounds = { first: BigInt(Number(fixed['first'])), end: BigInt(Number(fixed['end'])) };
    return { bounds, start: BigInt(Number(keys[0])), limit };
  }
  const last = await ports.ledgers.head(scope.workspaceId);
  // A workspace gets its billing mode before its first API key.
  if (last === null) throw creditAccountUnknown();
  // Judged before expiries are recorded: a refused request changes nothing (INV-07).
  if (revision !== null && BigInt(revision) > last.revision) {
    throw invalidRequest('query', 400, fieldError('revision', `the ledger is at revision ${last.revision}`));
  }
  const { head, sums } = await headAfterExpiries(ports, scope.workspaceId, last);
  const asOf = revision === null ? head.revision : BigInt(revision);
  const bounds = await statementBounds(ports.ledgers, scope.workspaceId, period, asOf, head);
  return { bounds, start: bounds.first, limit, known: sums };
}

const isoOf = (instant: Instant | null): string | null =>
  instant === null ? null : startOf(instant).toISOString();
