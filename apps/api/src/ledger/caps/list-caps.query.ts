import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { Type } from '#kernel/values/schema.js';
import { CapAnswer } from '#ledger/answers/cap.answer.js';
import { capsOf } from '#ledger/charging/change-caps.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { CLOCK, COMMANDS } from '../../ports.js';

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

@QueryHandler(ListCaps)
export class ListCapsHandler implements IQueryHandler<ListCaps> {
  constructor(
    @Inject(COMMANDS) readonly commands: Commands,
    @Inject(CLOCK) readonly clock: Clock,
  ) {}

  async execute({ request: { workspaceId } }: ListCaps): Promise<DataOf<readonly CapAnswer[]>> {
    return { data: await capsOf(this, workspaceId) };
  }
}
