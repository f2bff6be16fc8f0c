import { creditAccount } from '#ledger/domain/credit-account.js';
import { capOfOperator, keyIsCapped, removeCap, unknownCap } from '#ledger/domain/set-caps.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { handle } from '../../handle.js';
import { capPath } from './cap.body.js';

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v3/credits/caps/:cap_id',
  summary: 'Remove a cap on spending',
  description: 'Spent credits stay spent.',
  status: 204,
  params: capPath,
  problems: [keyIsCapped, capOfOperator, unknownCap],
})
export class RemoveCap extends EndpointCommand<void, { params: typeof capPath }> {}

handle(RemoveCap, async ({ workspaceId, apiKeyId: keyId, params, context }, { commands }) => {
  const decision = removeCap(params.cap_id, { keyId });
  await commands.handle(creditAccount, String(workspaceId), decision, { context });
});
