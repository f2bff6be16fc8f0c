import type { Credits } from '#kernel/values/credits.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson, type JsonValue } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import type { Ready } from '#signals/domain/launches/prepare-launch.js';

/** What a quote fixes (QUO-01). It is sealed in its id and stored nowhere. */
export type Quote = {
  readonly nonce: string;
  /** Identity of the log whose ledger pays. */
  readonly logId: string;
  /** Digest of the body that was quoted. */
  readonly body: string;
  /** The moment as of which the launch looks at the world. */
  readonly now: string;
  readonly lookbackDays: number;
  readonly madeOf: MadeOf;
  /** null: nobody pays. */
  readonly creditsAtMost: Credits | null;
  /** Everything was counted and nothing of it has a price: the launch spends 0, and needs no balance. Absent: it is not so. */
  readonly needsNothing?: true;
  readonly expiresAt: string;
};

/** Digests of what a launch is made of: a change of one of them is another launch. */
export type MadeOf = { readonly source: string; readonly persona: string; readonly prices: string };

export const quoteOutdated = refusal({
  code: 'quote-outdated',
  slug: 'quote-outdated',
  title: 'Quote outdated',
  kind: 'conflicting',
  detail: 'The quote is outdated: ask for another one.',
});

/** What a quote keeps of the body that was quoted. */
export const bodyDigest = (body: JsonValue): string => digestOf(body);

const digestOf = (value: JsonValue): string => sha256Hex(canonicalJson(value)).slice(0, 16);

/**
 * The revision of what would be launched. Members and coverage are no part of it: like new observations they do not
 * outdate a quote, whose budget bounds them.
 */
export function madeOf({
  charge,
  persona,
  scope,
  targetTitles,
  coveredFor,
  missingTargets: _,
  ...source
}: Ready): MadeOf {
  const { credits, product } = charge;
  return {
    source: digestOf({ ...source, directions: [...source.directions], listId: scope?.listId ?? null }),
    persona: digestOf({ persona, targetTitles, coveredFor }),
    prices: digestOf({ credits: String(credits), product }),
  };
}

/** A quote with which a launch is asked for, beside what it is compared with. */
export type GivenQuote = { readonly quote: Quote; readonly logId: string; readonly body: JsonValue };

/** Checks that nothing of it has changed. Throws `quoteOutdated`, which says what has. */
export function requireCurrent({ quote, logId, body }: GivenQuote, ready: Ready, clock: Date): void {
  const now = madeOf(ready);
  const faults: readonly (readonly [boolean, string])[] = [
    [quote.logId !== logId, 'it was made for another event log'],
    [quote.body !== bodyDigest(body), 'it was made for another body'],
    [quote.expiresAt <= clock.toISOString(), 'it has expired'],
    [quote.madeOf.source !== now.source, 'the agent or signal setup has changed'],
    [quote.madeOf.persona !== now.persona, 'the persona has changed'],
    [quote.madeOf.prices !== now.prices, 'the price has changed'],
  ];
  const [, changed] = faults.find(([isFault]) => isFault) ?? [];
  if (changed !== undefined) throw outdatedBecause(changed);
}

/** The refusal of a quote that says why. */
export const outdatedBecause = (changed: string) =>
  quoteOutdated({ detail: `The quote is outdated: ${changed}. Ask for another one.` });
