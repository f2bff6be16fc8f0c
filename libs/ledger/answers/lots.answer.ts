import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import type { StoredShare } from '#ledger/domain/credits.events.js';
import type { Lot } from '#ledger/domain/lots.js';
import type { LotTerms } from '#ledger/domain/lot-facts.js';
import { eachLotAmount } from '#ledger/domain/stored-lots.js';
import { Amount } from '#kernel/values/amounts.js';

/** The part of an amount that comes from a lot with terms or returns to it. `lot` is the movement that granted it. */
export const LotShareAnswer = Type.Object({ lot: Id, credits: Amount }, { title: 'LotShare' });
export type LotShareView = Immutable<Static<typeof LotShareAnswer>>;

export const shareViews = (shares: readonly StoredShare[]): readonly LotShareView[] => shares.map(shareView);

const shareView = ({ lot, credits }: StoredShare): LotShareView => ({
  lot,
  credits: toJsonNumber(fromStored(credits)),
});

/** A share of a movement, and the end of its lot: a hold released from then on loses it. Null if the lot has no end. */
export const HeldShareAnswer = Type.Object(
  { ...LotShareAnswer.properties, expires_at: Nullable(Timestamp) },
  { title: 'HeldShare' },
);

export const heldShareView = (share: StoredShare): Immutable<Static<typeof HeldShareAnswer>> => ({
  ...shareView(share),
  expires_at: share.expiresAt ?? null,
});

export const lotTermsAnswer = {
  expires_at: Nullable(Timestamp),
  priority: Type.Integer({ minimum: 0, maximum: 100 }),
  promotional: Type.Boolean(),
};

export const termsView = ({ expiresAt, priority, promotional }: LotTerms) => ({
  expires_at: expiresAt,
  priority,
  promotional,
});

/** An open lot with terms. */
export const LotAnswer = Type.Object(
  {
    lot: Id,
    granted_at: Timestamp,
    ...lotTermsAnswer,
    ...eachLotAmount(() => Amount),
  },
  { title: 'Lot' },
);

export const lotView = (lot: Lot): Immutable<Static<typeof LotAnswer>> => ({
  lot: lot.id,
  granted_at: lot.grantedAt,
  ...termsView(lot),
  ...eachLotAmount((amount) => toJsonNumber(lot[amount])),
});
