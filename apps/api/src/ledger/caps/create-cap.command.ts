import { CapAnswer } from '#ledger/answers/cap.answer.js';
import { changeCaps } from '#ledger/charging/change-caps.js';
import {
  addCap,
  keyIsCapped,
  noSuchScope,
  tooManyCaps,
  unknownScope,
  type EarlierSpending,
} from '#ledger/domain/set-caps.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { CapBody, invalidCap, wantedCap } from './cap.body.js';

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/credits/caps',
  summary: 'Set a cap on spending',
  description:
    'Limits the credits held in each calendar day, ISO week or calendar month in UTC: by the workspace, by ' +
    'one signal setup or agent, or by the launches and calls of one API key. A request beyond a cap is ' +
    'refused with 402 `Cap reached`; a run ends as when the balance is used up. A new cap counts what was ' +
    'held in the running period and not released, also before it was set.',
  status: 201,
  body: CapBody,
  response: DataOf(CapAnswer),
  problems: [keyIsCapped, tooManyCaps, invalidCap, unknownScope],
})
export class CreateCap extends EndpointCommand<DataOf<CapAnswer>, { body: CapBody }> {}

handle(CreateCap, async ({ workspaceId, apiKeyId: keyId, body: cap, context }, ports) => {
  const capId = await ports.ids.next('cap');
  const wanted = wantedCap(capId, cap);
  const { scope, scopeId } = wanted;
  const add = (earlier: EarlierSpending | null) => ({
    prepare: async () => {
      if (!(await ports.hasCapScope(ports, workspaceId, scope, scopeId))) throw noSuchScope();
      return addCap(wanted, { keyId }, earlier);
    },
  });
  return { data: await changeCaps(ports, workspaceId, wanted, add, context) };
});
