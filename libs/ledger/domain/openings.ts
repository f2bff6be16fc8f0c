import { fromStored, toStored } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import type { CurrentOpening, Openings, ReversedOpening } from './account-state.js';
import type { CreditPayloads } from './credits.events.js';
import { plainCredits } from './opening-facts.js';

type StoredOpening = Omit<CurrentOpening, 'revision' | 'credits' | 'plain'> & {
  readonly revision: string;
  readonly credits: string;
  readonly plain: string;
};
/** Openings as JSON. */
export type StoredOpenings = {
  readonly current: StoredOpening | null;
  readonly reversed: readonly { readonly hash: string; readonly credits: string }[];
};

/** The part of an opening that the state of a ledger keeps. */
export function openingOf({ data, revision }: Recorded<CreditPayloads['OpeningImported']>): CurrentOpening {
  const { movementId, source, lots = [], paid = { count: 0, streams: 0 } } = data;
  return {
    movementId,
    revision,
    hash: source.hash,
    credits: fromStored(data.credits),
    plain: plainCredits(data),
    lots: lots.map(({ lot }) => lot),
    paid,
  };
}

/** The current opening was reversed. */
export function closeOpening(openings: Openings): void {
  const { current, reversed } = openings;
  if (current === null) throw new Error('no opening is there to be reversed');
  const { hash, credits } = current;
  openings.current = null;
  openings.reversed = [...reversed, { hash, credits }];
}

/** Null if there is nothing to store. */
export function toStoredOpenings({ current, reversed }: Openings): StoredOpenings | null {
  if (current === null && reversed.length === 0) return null;
  return {
    current: current && {
      ...current,
      revision: current.revision.toString(),
      credits: toStored(current.credits),
      plain: toStored(current.plain),
    },
    reversed: reversed.map(({ hash, credits }) => ({ hash, credits: toStored(credits) })),
  };
}

/** Restores stored openings into empty ones. */
export function restoreOpenings(openings: Openings, { current, reversed }: StoredOpenings): void {
  openings.current = current && {
    ...current,
    revision: BigInt(current.revision),
    credits: fromStored(current.credits),
    plain: fromStored(current.plain),
  };
  openings.reversed = reversed.map(({ hash, credits }): ReversedOpening => ({
    hash,
    credits: fromStored(credits),
  }));
}
