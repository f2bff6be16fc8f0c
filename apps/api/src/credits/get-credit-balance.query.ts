import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { fromStored } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { creditAccountUnknown } from '#domain/credits/credit-account.js';
import { BalanceAnswer, balanceView } from '#ledger/answers/balance.answer.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import {
  creditBalances,
  type CreditBalanceDocument,
} from '#projections/credit-balances/credit-balances.projection.js';
import { READ_MODELS } from '../ports.js';

/** There is a last entry for whoever has an API key: the workspace got its billing mode before that. */
const Balance = Type.Object(
  { ...BalanceAnswer.properties, updated_at: Timestamp },
  { title: 'CreditBalance' },
);
type Answer = { readonly data: Immutable<Static<typeof Balance>> };

export class GetCreditBalance extends Query<Answer> {
  constructor(readonly workspaceId: number) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/credits/balance',
  summary: 'Get the credit balance of the workspace',
  description: "Movements that the workspace itself pays; what a partner pays is in nobody's balance.",
  response: DataOf(Balance),
})
export class GetCreditBalanceEndpoint {
  constructor(private readonly queries: QueryBus) {}

  handle({ workspaceId }: EndpointRequest): Promise<Answer> {
    return this.queries.execute(new GetCreditBalance(workspaceId));
  }
}

@QueryHandler(GetCreditBalance)
export class GetCreditBalanceHandler implements IQueryHandler<GetCreditBalance> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId }: GetCreditBalance): Promise<Answer> {
    const ledger = await this.readModels.get<CreditBalanceDocument>(creditBalances, String(workspaceId));
    // A workspace gets its billing mode before its first API key.
    if (ledger === null) throw creditAccountUnknown();
    return {
      data: balanceView({
        granted: fromStored(ledger.granted),
        held: fromStored(ledger.held),
        captured: fromStored(ledger.captured),
        billing: ledger.billing,
        updatedAt: ledger.updatedAt,
      }),
    };
  }
}
