import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Commands } from '#kernel/commands/commands.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { capOfOperator, keyIsCapped, removeCap, unknownCap } from '#ledger/domain/set-caps.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { COMMANDS } from '../../ports.js';
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

@CommandHandler(RemoveCap)
export class RemoveCapHandler implements ICommandHandler<RemoveCap> {
  constructor(@Inject(COMMANDS) private readonly commands: Commands) {}

  async execute({ request: { workspaceId, apiKeyId: keyId, params, context } }: RemoveCap): Promise<void> {
    const decision = removeCap(params.cap_id, { keyId });
    await this.commands.handle(creditAccount, String(workspaceId), decision, { context, answer: () => null });
  }
}
