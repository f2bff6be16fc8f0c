import { movementUnknown } from '#ledger/domain/credit-account.js';
import { MovementDetailAnswer, type MovementDetail } from '#ledger/answers/movement.answer.js';
import { customerEntry, movementEntries } from '#ledger/answers/entry.answer.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { movementTrail } from '#ledger/answers/movement-trail.js';
import { handle } from '../handle.js';

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/credits/movements/:id',
  summary: 'Get a movement of credits with its cause and its ledger entries',
  description:
    'A charge, grant, withdrawal or adjustment. `cause` has the recorded ids, `origin` the objects that ' +
    'they name now, `entries` the ledger entries with actor and seal, oldest first. Those of a grant or an ' +
    'opening include the entries in which its credits expired or were reversed, at most 102.',
  params,
  response: DataOf(MovementDetailAnswer),
  problems: [movementUnknown],
})
export class GetMovement extends EndpointQuery<DataOf<MovementDetail>, { params: typeof params }> {}

handle(GetMovement, async ({ workspaceId, params }, ports): Promise<DataOf<MovementDetail>> => {
  const { readModels, chargeOrigins, ledgers } = ports;
  const trail = await movementTrail(readModels, chargeOrigins, workspaceId, params.id);
  if (trail === null) throw movementUnknown();
  const entries = await movementEntries(ledgers, workspaceId, trail.revisions);
  return { data: { ...trail.movement, entries: entries.map(customerEntry) } };
});
