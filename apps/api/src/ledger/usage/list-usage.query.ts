import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import type { Condition } from '#kernel/ports/read-store.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { cursorRefused } from '#http/cursors.js';
import { startOf } from '#kernel/values/instants.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { cursorPageV3, CursorPageV3Of } from '#http/paging.js';
import { cursorQuery, instantQuery, limitQuery } from '#http/parameters.js';
import { invalidRequest } from '#http/problem.js';
import type { CreditMovementDocument } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { newestMovements } from '../newest-movements.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';

const CreditMovement = Type.Object(
  {
    id: Id,
    created_at: Timestamp,
    status: OneOf('held', 'captured', 'released'),
    /** The product charged; the list is open. */
    product: Type.String(),
    signal_template_key: Nullable(Type.String()),
    credits: Type.Number(),
  },
  { title: 'CreditMovement' },
);
type CreditMovement = Immutable<Static<typeof CreditMovement>>;
type UsagePage = ReturnType<typeof cursorPageV3<CreditMovement>>;

const query = {
  date_from: instantQuery(400),
  date_to: instantQuery(400),
  cursor: cursorQuery(),
  limit: limitQuery(),
};

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/usage',
  summary: 'List the credit movements of the workspace',
  description:
    'Newest first. `date_from` is inclusive, `date_to` exclusive; a date is 00:00Z of that day. Spending is the ' +
    'sum of what is held or captured. A cursor is good for the dates it was issued for.',
  query,
  response: CursorPageV3Of(CreditMovement),
  problems: [cursorRefused],
})
export class ListUsage extends EndpointQuery<UsagePage, { query: typeof query }> {}

handle(ListUsage, async ({ workspaceId, query: asked }, ports) => {
  const from = asked.date_from && startOf(asked.date_from).toISOString();
  const to = asked.date_to && startOf(asked.date_to).toISOString();
  if (from !== null && to !== null && from > to) {
    throw invalidRequest('query', 400, fieldError('date_from', 'must not be after date_to'));
  }
  const scope = { endpoint: 'usage', workspaceId, filters: { date_from: from, date_to: to } };
  const { rows, next } = await newestMovements(ports.readModels, ports.cursors, {
    scope,
    otherFilters: 'was issued for other dates',
    where: from === null && to === null ? {} : { createdAt: between(from, to) },
    cursor: asked.cursor,
    limit: asked.limit,
  });
  return cursorPageV3(await movementsOf(ports, workspaceId, rows), next);
});

async function movementsOf(
  { signalsOfCharges: signals, readModels }: ApiPorts,
  workspaceId: number,
  rows: readonly CreditMovementDocument[],
): Promise<readonly CreditMovement[]> {
  const setupIds = rows.map(({ setupId }) => setupId).filter((setupId) => setupId !== null);
  const templateKeys = await signals.templateKeysOf(readModels, workspaceId, setupIds);
  return rows.map(({ id, createdAt, status, product, credits, setupId }) => ({
    id,
    created_at: createdAt,
    status,
    product,
    signal_template_key: setupId === null ? null : (templateKeys.get(setupId) ?? null),
    credits: toJsonNumber(fromStored(credits)),
  }));
}

function between(from: string | null, to: string | null): Condition {
  return { ...(from === null ? {} : { gte: from }), ...(to === null ? {} : { lt: to }) };
}
