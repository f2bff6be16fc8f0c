import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { CapAnswer } from '#ledger/answers/cap.answer.js';
import { capsOf, changeCaps } from '#ledger/charging/change-caps.js';
import {
  capOfOperator,
  keyIsCapped,
  noSuchScope,
  replaceCap,
  unknownCap,
  unknownScope,
} from '#ledger/domain/set-caps.js';
import type { HasCapScope } from '#ledger/charging/cap-scopes.port.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { CLOCK, COMMANDS, HAS_CAP_SCOPE, READ_MODELS } from '../../ports.js';
import { CapBody, capPath, invalidCap, wantedCap } from './cap.body.js';

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v3/credits/caps/:cap_id',
  summary: 'Replace a cap on spending',
  description:
    'The credits spent in the current period still count if scope and period stay the same. A lower limit ' +
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

@CommandHandler(ReplaceCap)
export class ReplaceCapHandler implements ICommandHandler<ReplaceCap> {
  constructor(
    @Inject(COMMANDS) readonly commands: Commands,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(HAS_CAP_SCOPE) readonly hasCapScope: HasCapScope,
  ) {}

  async execute({
    request: { workspaceId, apiKeyId: keyId, params, body: cap, context },
  }: ReplaceCap): Promise<DataOf<CapAnswer>> {
    const { cap_id: capId } = params;
    const known = (await capsOf(this, workspaceId)).find(({ id }) => id === capId);
    if (known === undefined) throw unknownCap();
    const wanted = wantedCap(capId, cap);
    // The object that the cap limits may no longer exist; the limit can still be changed.
    const isSame = known.scope === cap.scope && known.scope_id === wanted.scopeId;
    if (!isSame && !(await this.hasCapScope(this, workspaceId, wanted.scope, wanted.scopeId)))
      throw noSuchScope('scope_id');
    return { data: await changeCaps(this, workspaceId, capId, replaceCap(wanted, { keyId }), context) };
  }
}
