import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { movementUnknown } from '#ledger/domain/credit-account.js';
import { MovementDetailAnswer, type MovementDetail } from '#ledger/answers/movement.answer.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';
import { customerEntry, movementEntries } from '#ledger/answers/entry.answer.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import type { ChargeOrigin } from '#ledger/answers/charge-origin.js';
import { movementTrail } from '#ledger/answers/movement-trail.js';
import { CHARGE_ORIGINS, LEDGERS, READ_MODELS } from '../ports.js';

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/credits/movements/:id',
  summary: 'Get a movement of credits with its cause and its ledger entries',
  description:
    'A charge, grant, withdrawal or adjustment. `cause` has the recorded ids, `origin` the objects that ' +
    'they name now, `entries` the ledger entries with actor and seal, oldest first.',
  params,
  response: DataOf(MovementDetailAnswer),
  problems: [movementUnknown],
})
export class GetMovement extends EndpointQuery<DataOf<MovementDetail>, { params: typeof params }> {}

@QueryHandler(GetMovement)
export class GetMovementHandler implements IQueryHandler<GetMovement> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(LEDGERS) private readonly ledgers: LedgerReader,
    @Inject(CHARGE_ORIGINS) private readonly chargeOrigins: readonly ChargeOrigin[],
  ) {}

  async execute({ request: { workspaceId, params } }: GetMovement): Promise<DataOf<MovementDetail>> {
    const trail = await movementTrail(this.readModels, this.chargeOrigins, workspaceId, params.id);
    if (trail === null) throw movementUnknown();
    const entries = await movementEntries(this.ledgers, workspaceId, trail.revisions);
    return { data: { ...trail.movement, entries: entries.map(customerEntry) } };
  }
}
