import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Commands } from '#kernel/commands/commands.js';
import { ThresholdsAnswer, thresholdsView, type ThresholdsView } from '#ledger/answers/thresholds.answer.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { COMMANDS } from '../ports.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/credits/thresholds',
  summary: 'List the thresholds of the balance',
  description:
    'The thresholds of the balance, highest first. `armed` is true if the next crossing is reported. ' +
    '`run_out` is the end of the balance (less than one credit); it is watched from the first time that ' +
    'thresholds are set. Read from the ledger itself.',
  response: DataOf(ThresholdsAnswer),
})
export class GetThresholds extends EndpointQuery<DataOf<ThresholdsView>> {}

@QueryHandler(GetThresholds)
export class GetThresholdsHandler implements IQueryHandler<GetThresholds> {
  constructor(@Inject(COMMANDS) private readonly commands: Commands) {}

  async execute({ request: { workspaceId } }: GetThresholds): Promise<DataOf<ThresholdsView>> {
    return { data: await this.commands.load(creditAccount, String(workspaceId), thresholdsView) };
  }
}
