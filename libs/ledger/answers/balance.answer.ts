import { toJsonNumber, type Credits } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { granted, ownAccount, type Billing, type Books } from '#ledger/domain/books.js';
import { Amount } from '#kernel/values/amounts.js';

/** Available credits of one expiry time. */
export const ExpiringCredits = Type.Object(
  { credits: Amount, expires_at: Timestamp },
  { title: 'ExpiringCredits' },
);

/** The balance as every endpoint and operator command shows it (OP-22). */
export const BalanceAnswer = Type.Object({
  balance: Amount,
  held: Amount,
  captured: Amount,
  granted: Amount,
  is_billed: Type.Boolean(),
  billing: OneOf('self', 'partner', 'exempt'),
  updated_at: Nullable(Timestamp),
  /** Expired credits, already subtracted from `granted`; absent if no lot had terms. */
  expired: Type.Optional(Amount),
  /** Available credits that expire, soonest first. */
  expiring: Type.Optional(Type.Array(ExpiringCredits)),
});
export type BalanceView = Immutable<Static<typeof BalanceAnswer>>;

/** The sums behind a balance, either from the books of a ledger or from a read model. */
export type BalanceSums<UpdatedAt extends string | null = string | null> = {
  readonly granted: Credits;
  readonly held: Credits;
  readonly captured: Credits;
  readonly billing: Billing['mode'];
  readonly updatedAt: UpdatedAt;
  /** Present if any lot had terms. */
  readonly withLots?: {
    readonly expired: Credits;
    readonly expiring: readonly (readonly [expiresAt: string, credits: Credits])[];
  };
};

/** The balance as it is answered; amounts are JSON numbers of credits. */
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

/** The balance of the current books. */
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

/** Free credits of lots that expire, by expiry time, soonest first. */
function expiringOf({ lots }: Books): readonly (readonly [expiresAt: string, credits: Credits])[] {
  const free = new Map<string, Credits>();
  for (const { expiresAt, free: rest } of lots.values())
    if (expiresAt !== null && rest > 0n) free.set(expiresAt, (free.get(expiresAt) ?? 0n) + rest);
  return [...free].sort(([left], [right]) => (left < right ? -1 : 1));
}
