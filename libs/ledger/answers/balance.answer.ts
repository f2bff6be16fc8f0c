import { toJsonNumber, type Credits } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { granted, ownAccount, type Billing, type Books } from '#ledger/domain/books.js';
import { Amount } from '#kernel/values/amounts.js';

/** What can be spent now and expires then. */
export const ExpiringCredits = Type.Object(
  { credits: Amount, expires_at: Timestamp },
  { title: 'ExpiringCredits' },
);

/** The balance as it is answered everywhere (OP-22). */
export const BalanceAnswer = Type.Object({
  balance: Amount,
  held: Amount,
  captured: Amount,
  granted: Amount,
  is_billed: Type.Boolean(),
  billing: OneOf('self', 'partner', 'exempt'),
  updated_at: Nullable(Timestamp),
  /** What has expired, which `granted` is without; absent where no grant had terms. */
  expired: Type.Optional(Amount),
  /** What can be spent now and expires, soonest first. */
  expiring: Type.Optional(Type.Array(ExpiringCredits)),
});
export type BalanceView = Immutable<Static<typeof BalanceAnswer>>;

/** What a balance is made of, wherever it was summed: in a ledger's books or in a read model. */
export type BalanceSums<UpdatedAt extends string | null = string | null> = {
  readonly granted: Credits;
  readonly held: Credits;
  readonly captured: Credits;
  readonly billing: Billing['mode'];
  readonly updatedAt: UpdatedAt;
  /** Where any grant had terms. */
  readonly withLots?: {
    readonly expired: Credits;
    readonly expiring: readonly (readonly [expiresAt: string, credits: Credits])[];
  };
};

/** The balance in its answer; amounts are JSON numbers of credits. */
export function balanceView<UpdatedAt extends string | null>({
  granted,
  held,
  captured,
  billing,
  updatedAt,
  withLots,
}: BalanceSums<UpdatedAt>) {
  return {
    balance: toJsonNumber(granted - held - captured),
    held: toJsonNumber(held),
    captured: toJsonNumber(captured),
    granted: toJsonNumber(granted),
    is_billed: billing !== 'exempt',
    billing,
    updated_at: updatedAt,
    ...(withLots === undefined
      ? {}
      : {
          expired: toJsonNumber(withLots.expired),
          expiring: withLots.expiring.map(([expiresAt, credits]) => ({
            credits: toJsonNumber(credits),
            expires_at: expiresAt,
          })),
        }),
  };
}

/** The balance of the books as they are now. */
export function balanceOf(books: Books): BalanceView {
  const { held, captured } = ownAccount(books);
  return balanceView({
    held,
    captured,
    granted: granted(books),
    billing: books.billing?.mode ?? 'self',
    updatedAt: books.updatedAt,
    withLots: books.expired === null ? undefined : { expired: books.expired, expiring: expiringOf(books) },
  });
}

/** What is free of lots that end, by when they do, soonest first. */
function expiringOf({ lots }: Books): readonly (readonly [expiresAt: string, credits: Credits])[] {
  const free = new Map<string, Credits>();
  for (const { expiresAt, free: rest } of lots.values())
    if (expiresAt !== null && rest > 0n) free.set(expiresAt, (free.get(expiresAt) ?? 0n) + rest);
  return [...free].sort(([left], [right]) => (left < right ? -1 : 1));
}
