import { fromStored, type Credits } from '#kernel/values/credits.js';
import type { CreditPayloads } from './credits.events.js';
import { termsOf, type LotTerms } from './lot-facts.js';

/** One movement of an opening: a lot, or all credit without terms, under the movement of the opening itself. */
type OpeningPart = {
  readonly movementId: number;
  readonly credits: Credits;
  readonly terms: LotTerms | null;
};

/** The credits without terms of an opening. */
export const plainCredits = ({
  credits,
  lots = [],
}: Pick<CreditPayloads['OpeningImported' | 'OpeningReversed'], 'credits' | 'lots'>): Credits =>
  lots.reduce((rest, lot) => rest - fromStored(lot.credits), fromStored(credits));

/** The credits that a reversal takes back from each movement of the opening; they add up to its credits. */
export function reversedParts({
  reverses,
  credits,
  lots = [],
}: CreditPayloads['OpeningReversed']): readonly Omit<OpeningPart, 'terms'>[] {
  const inLots = lots.map((each) => ({ movementId: each.lot, credits: fromStored(each.credits) }));
  const plain = plainCredits({ credits, lots });
  return plain === 0n ? inLots : [{ movementId: reverses, credits: plain }, ...inLots];
}

/** The movements of an opening; they add up to its credits. */
export function openingParts({
  movementId,
  credits,
  lots = [],
}: CreditPayloads['OpeningImported']): readonly OpeningPart[] {
  const inLots = lots.map((each) => ({
    movementId: each.lot,
    credits: fromStored(each.credits),
    terms: termsOf(each),
  }));
  const plain = plainCredits({ credits, lots });
  return [{ movementId, credits: plain, terms: null }, ...inLots];
}
