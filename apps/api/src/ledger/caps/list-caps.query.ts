import { Type } from '#kernel/values/schema.js';
import { CapAnswer } from '#ledger/answers/cap.answer.js';
import { capsOf } from '#ledger/charging/change-caps.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/credits/caps',
  summary: 'List the caps on spending',
  description:
    'All caps of the workspace by id, at most 100, with the credits spent under each in the current period. ' +
    'Read from the ledger itself, so every earlier hold is counted.',
  response: DataOf(Type.Array(CapAnswer)),
})
export class ListCaps extends EndpointQuery<DataOf<readonly CapAnswer[]>> {}

handle(ListCaps, async ({ workspaceId }, ports) => ({ data: await capsOf(ports, workspaceId) }));
