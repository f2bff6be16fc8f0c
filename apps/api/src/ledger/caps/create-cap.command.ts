import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { CapAnswer } from '#ledger/answers/cap.answer.js';
import { changeCaps } from '#ledger/charging/change-caps.js';
import { addCap, keyIsCapped, noSuchScope, tooManyCaps, unknownScope } from '#ledger/domain/set-caps.js';
import type { HasCapScope } from '#ledger/charging/cap-scopes.port.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { CLOCK, COMMANDS, HAS_CAP_SCOPE, IDS, READ_MODELS } from '../../ports.js';
import { CapBody, invalidCap, wantedCap } from './cap.body.js';

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/credits/caps',
  summary: 'Set a cap on spending',
  description:
    'Limits the credits held in each calendar day, ISO week or calendar month in UTC: by the workspace, by ' +
    'one signal setup or agent, or by the launches and calls of one API key. A request beyond a cap is ' +
    'refused with 402 `Cap reached`; a run ends as when the balance is used up. A new cap counts from now ' +
    'on.',
  status: 201,
  body: CapBody,
  response: DataOf(CapAnswer),
  problems: [keyIsCapped, tooManyCaps, invalidCap, unknownScope],
})
export class CreateCap extends EndpointCommand<DataOf<CapAnswer>, { body: CapBody }> {}

@CommandHandler(CreateCap)
export class CreateCapHandler implements ICommandHandler<CreateCap> {
  constructor(
    @Inject(COMMANDS) readonly commands: Commands,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
    @Inject(IDS) readonly ids: Ids,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(HAS_CAP_SCOPE) readonly hasCapScope: HasCapScope,
  ) {}

  async execute({
    request: { workspaceId, apiKeyId: keyId, body: cap, context },
  }: CreateCap): Promise<DataOf<CapAnswer>> {
    const capId = await this.ids.next('cap');
    const wanted = wantedCap(capId, cap);
    if (!(await this.hasCapScope(this, workspaceId, wanted.scope, wanted.scopeId)))
      throw noSuchScope('scope_id');
    return { data: await changeCaps(this, workspaceId, capId, addCap(wanted, { keyId }), context) };
  }
}
