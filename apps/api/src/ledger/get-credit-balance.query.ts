import { fromStored } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { creditAccountUnknown } from '#ledger/domain/credit-account.js';
import { Amount } from '#kernel/values/amounts.js';
import { BalanceAnswer, ExpiringCredits, balanceView } from '#ledger/answers/balance.answer.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import {
  creditBalances,
  expiringAfter,
  overBy,
} from '#projections/ledger/credit-balances/credit-balances.projection.js';
import { handle } from '../handle.js';

/** Never null here: a workspace gets its billing mode before its first API key, so its ledger has an entry. */
const { expired: _expired, expiring: _expiring, ...everywhere } = BalanceAnswer.properties;
const plain = { ...everywhere, updated_at: Timestamp };
const Balance = Type.Object(plain, { title: 'CreditBalance' });
/** Members that are present only if a lot had terms (LOT-04); each schema requires all of its members. */
const BalanceWithLots = Type.Object(
  { ...plain, expired: Amount, expiring: Type.Array(ExpiringCredits) },
  { title: 'CreditBalanceWithLots' },
);
type Answer = { readonly data: Immutable<Static<typeof Balance | typeof BalanceWithLots>> };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/credits/balance',
  summary: 'Get the credit balance of the workspace',
  description:
    'Counts movements that the workspace itself pays; payments of a partner are in no balance. If credits were granted with terms, ' +
    '`expired` are expired credits (not part of `granted`), and `expiring` are available credits that will expire.',
  response: DataOf(Type.Union([Balance, BalanceWithLots])),
})
export class GetCreditBalance extends EndpointQuery<Answer> {}

handle(GetCreditBalance, async ({ workspaceId }, { readModels, clock }) => {
  const ledger = await readModels.get(creditBalances, String(workspaceId));
  // A workspace gets its billing mode before its first API key.
  if (ledger === null) throw creditAccountUnknown();
  const now = clock.now().toISOString();
  // A process records expiries later; the answer already leaves out credits that have expired (LOT-02).
  const over = overBy(ledger, now);
  return {
    data: balanceView({
      granted: fromStored(ledger.granted) - over,
      held: fromStored(ledger.held),
      captured: fromStored(ledger.captured),
      billing: ledger.billing,
      updatedAt: ledger.updatedAt,
      withLots:
        ledger.expired === undefined
          ? undefined
          : { expired: fromStored(ledger.expired) + over, expiring: expiringAfter(ledger, now) },
    }),
  };
});
