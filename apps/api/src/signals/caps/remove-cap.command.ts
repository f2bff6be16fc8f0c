import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { capOfOperator, keyIsCapped, removeCap, unknownCap } from '#ledger/domain/set-caps.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { COMMANDS } from '../../ports.js';
import { capPath } from './cap.body.js';

export class RemoveCap extends Command<void> {
  constructor(
    readonly workspaceId: number,
    readonly keyId: number,
    readonly capId: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v3/credits/caps/:cap_id',
  summary: 'Remove a cap on spending',
  description: 'What was spent stays spent; nothing is limited by it any more.',
  status: 204,
  params: capPath,
  problems: [keyIsCapped, capOfOperator, unknownCap],
})
export class RemoveCapEndpoint {
  constructor(private readonly commands: CommandBus) {}

  handle(request: EndpointRequest<undefined, NoParameters, typeof capPath>): Promise<void> {
    const { workspaceId, apiKeyId, params, context } = request;
    return this.commands.execute(new RemoveCap(workspaceId, apiKeyId, params.cap_id, context));
  }
}

@CommandHandler(RemoveCap)
export class RemoveCapHandler implements ICommandHandler<RemoveCap> {
  constructor(@Inject(COMMANDS) private readonly commands: Commands) {}

  async execute({ workspaceId, keyId, capId, context }: RemoveCap): Promise<void> {
    const decision = removeCap(capId, { keyId });
    await this.commands.handle(creditAccount, String(workspaceId), decision, { context, answer: () => null });
  }
}
