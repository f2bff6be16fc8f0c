import { CapAnswer } from '#ledger/answers/cap.answer.js';
import { capsOf, changeCaps } from '#ledger/charging/change-caps.js';
import {
  capOfOperator,
  keyIsCapped,
  noSuchScope,
  replaceCap,
  unknownCap,
  unknownScope,
  type EarlierSpending,
} from '#ledger/domain/set-caps.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { CapBody, capPath, invalidCap, wantedCap } from './cap.body.js';

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v3/credits/caps/:cap_id',
  summary: 'Replace a cap on spending',
  description:
    'The credits spent in the current period count, also with another scope or period. A lower limit ' +
    'refuses new holds only: nothing is taken back.',
  params: capPath,
  body: CapBody,
  response: DataOf(CapAnswer),
  problems: [keyIsCapped, capOfOperator, unknownCap, invalidCap, unknownScope],
})
export class ReplaceCap extends EndpointCommand<
  DataOf<CapAnswer>,
  { body: CapBody; params: typeof capPath }
> {}

handle(ReplaceCap, async ({ workspaceId, apiKeyId: keyId, params, body: cap, context }, ports) => {
  const { cap_id: capId } = params;
  const known = (await capsOf(ports, workspaceId)).find(({ id }) => id === capId);
  if (known === undefined) throw unknownCap();
  const wanted = wantedCap(capId, cap);
  // The object that the cap limits may no longer exist; the limit can still be changed.
  const isSame = known.scope === cap.scope && known.scope_id === wanted.scopeId;
  if (!isSame && !(await ports.hasCapScope(ports, workspaceId, wanted.scope, wanted.scopeId)))
    throw noSuchScope();
  const replace = (earlier: EarlierSpending | null) => replaceCap(wanted, { keyId }, earlier);
  return { data: await changeCaps(ports, workspaceId, wanted, replace, context) };
});
