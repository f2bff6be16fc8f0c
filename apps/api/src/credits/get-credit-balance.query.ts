import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { creditAccountUnknown } from '#domain/credits/credit-account.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import {
  creditBalances,
  type CreditBalanceDocument,
} from '#projections/credit-balances/credit-balances.projection.js';
import { READ_MODELS } from '../ports.js';

const Balance = Type.Object({
  /** What can be spent now: granted − held − captured. */
  balance: Type.Number(),
  held: Type.Number(),
  captured: Type.Number(),
  /** Grants − withdrawals ± adjustments. */
  granted: Type.Number(),
  is_billed: Type.Boolean(),
  billing: OneOf('self', 'partner', 'exempt'),
  updated_at: Timestamp,
});
type BalanceAnswer = { readonly data: Immutable<Static<typeof Balance>> };

export class GetCreditBalance extends Query<BalanceAnswer> {
  constructor(readonly workspaceId: number) {
    super();
  }
}

@Endpoint({
  route: 'GET /api/v3/credits/balance',
  summary: 'Get the credit balance of the workspace',
  description: "Movements that the workspace itself pays; what a partner pays is in nobody's balance.",
  response: DataOf(Balance),
})
export class GetCreditBalanceEndpoint {
  constructor(private readonly queries: QueryBus) {}

  handle({ workspaceId }: EndpointRequest): Promise<BalanceAnswer> {
    return this.queries.execute(new GetCreditBalance(workspaceId));
  }
}

@QueryHandler(GetCreditBalance)
export class GetCreditBalanceHandler implements IQueryHandler<GetCreditBalance> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId }: GetCreditBalance): Promise<BalanceAnswer> {
    const ledger = await this.readModels.get<CreditBalanceDocument>(creditBalances, String(workspaceId));
    // A workspace gets its billing mode before its first API key.
    if (ledger === null) throw creditAccountUnknown();
    const granted = fromStored(ledger.granted);
    const held = fromStored(ledger.held);
    const captured = fromStored(ledger.captured);
    return {
      data: {
        balance: toJsonNumber(granted - held - captured),
        held: toJsonNumber(held),
        captured: toJsonNumber(captured),
        granted: toJsonNumber(granted),
        is_billed: ledger.billing !== 'exempt',
        billing: ledger.billing,
        updated_at: ledger.updatedAt,
      },
    };
  }
}
