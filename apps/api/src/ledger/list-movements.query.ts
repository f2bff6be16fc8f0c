import { fieldError } from '#kernel/values/refusal.js';
import { MovementRowAnswer, type MovementRowView } from '#ledger/answers/movement.answer.js';
import { cursorRefused, type CursorScope } from '#http/cursors.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { cursorPageV3, CursorPageV3Of } from '#http/paging.js';
import { cursorQuery, idQuery, limitQuery, type ValuesOf } from '#http/parameters.js';
import { invalidRequest } from '#http/problem.js';
import { movementRow } from '#ledger/answers/movement.answer.js';
import {
  creditMovementKey,
  creditMovements,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { newestMovements } from './newest-movements.js';
import { handle } from '../handle.js';
import type { ApiPorts } from '../ports.js';

const OTHER_CAUSE = 'was issued for another cause';

type Page = ReturnType<typeof cursorPageV3<MovementRowView>>;

const query = {
  signal_setup_id: idQuery(400),
  agent_id: idQuery(400),
  signal_run_id: idQuery(400),
  launch_id: idQuery(400),
  company_id: idQuery(400),
  signal_id: idQuery(400),
  cursor: cursorQuery(),
  limit: limitQuery(),
};
type Asked = ValuesOf<typeof query>;

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/credits/movements',
  summary: 'List the charges of a signal setup, agent, run, launch, company or signal',
  description:
    'Newest first; without a cause all charges of the workspace. At most one cause, by the id that it has in ' +
    '`cause`: charges of a setup have `signal_setup_id` and no `agent_id`. `company_id` lists the ' +
    'charges for the company itself: its mapping, its people and its monitored months, not those for signals ' +
    'about it. `signal_id` is the id of a signal of the queries: the charge that paid for it, possibly for ' +
    'several signals; no charge if it was free.',
  query,
  response: CursorPageV3Of(MovementRowAnswer),
  problems: [cursorRefused],
})
export class ListMovements extends EndpointQuery<Page, { query: typeof query }> {}

handle(ListMovements, async ({ workspaceId, query: asked }, ports) => {
  const cause = causeOf(asked);
  const scope = { endpoint: 'credits/movements', workspaceId, filters: cause };
  if (asked.signal_id !== null) return ofSignal(ports, workspaceId, asked.signal_id, scope, asked.cursor);
  const { rows, next } = await newestMovements(ports.readModels, ports.cursors, {
    scope,
    otherFilters: OTHER_CAUSE,
    where: cause,
    cursor: asked.cursor,
    limit: asked.limit,
  });
  return cursorPageV3(rows.map(movementRow), next);
});

/** The charge that paid for a signal of the workspace. There is at most one, so no cursor is valid here. */
async function ofSignal(
  { cursors, signalsOfCharges: signals, readModels }: ApiPorts,
  workspaceId: number,
  signalId: number,
  scope: CursorScope,
  cursor: string | null,
): Promise<Page> {
  if (cursor !== null) cursors.decode(cursor, scope, OTHER_CAUSE);
  const movementId = await signals.movementOfSignal(readModels, workspaceId, signalId);
  const paid =
    movementId === null ? null : await readModels.get(creditMovements, creditMovementKey(movementId));
  return cursorPageV3(paid === null ? [] : [movementRow(paid)], null);
}

/** The cause as the fields of a movement. Each field leads a separate index; no index covers two of them. */
function causeOf(asked: Asked): { readonly [field: string]: number } {
  const named = [
    ['signal_setup_id', 'setupId', asked.signal_setup_id],
    ['agent_id', 'agentId', asked.agent_id],
    ['signal_run_id', 'shownRunId', asked.signal_run_id],
    ['launch_id', 'launchId', asked.launch_id],
    ['company_id', 'companyId', asked.company_id],
    ['signal_id', 'signalId', asked.signal_id],
  ] as const;
  const [only, second] = named.flatMap(([parameter, field, id]) =>
    id === null ? [] : [{ parameter, field, id }],
  );
  if (second !== undefined) {
    const message = `cannot be combined with ${only?.parameter ?? 'another cause'}`;
    throw invalidRequest('query', 400, fieldError(second.parameter, message));
  }
  return only === undefined ? {} : { [only.field]: only.id };
}
