import type { Credits } from '#kernel/values/credits.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson, type JsonValue } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import type { Ready } from '#signals/domain/launches/prepare-launch.js';

/** The facts that a quote fixes (QUO-01). They are sealed in its id and stored nowhere. */
export type Quote = {
  readonly nonce: string;
  /** Identity of the log whose ledger pays. */
  readonly logId: string;
  /** Digest of the request body. */
  readonly body: string;
  /** The moment as of which the launch reads the observations. */
  readonly now: string;
  readonly lookbackDays: number;
  readonly madeOf: MadeOf;
  /** null: the workspace is exempt. */
  readonly creditsAtMost: Credits | null;
  /**
   * Everything was counted and nothing has a price: the launch spends 0 and needs no balance. Absent: this does not
   * apply.
   */
  readonly needsNothing?: true;
  readonly expiresAt: string;
};

/** Digests of the parts of a launch: if one of them changes it is another launch. */
export type MadeOf = { readonly source: string; readonly persona: string; readonly prices: string };

export const quoteOutdated = refusal({
  code: 'quote-outdated',
  slug: 'quote-outdated',
  title: 'Quote outdated',
  kind: 'conflicting',
  detail: 'The quote is outdated: ask for another one.',
});

/** What a quote keeps of the body of its request, and of each part of the launch. */
export const digestOf = (value: JsonValue): string => sha256Hex(canonicalJson(value)).slice(0, 16);

/**
 * The revision of the launch. Members and coverage are not included: like new observations they do not outdate a
 * quote, because its budget limits them.
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

/** A quote in a launch request, with the facts that it is compared with. */
export type GivenQuote = { readonly quote: Quote; readonly logId: string; readonly body: JsonValue };

/** Checks that the launch has not changed since the quote. Throws `quoteOutdated`, which names the change. */
export function requireCurrent({ quote, logId, body }: GivenQuote, ready: Ready, clock: Date): void {
  const now = madeOf(ready);
  const faults: readonly (readonly [boolean, string])[] = [
    [quote.logId !== logId, 'it was made for another event log'],
    [quote.body !== digestOf(body), 'it was made for another body'],
    [quote.expiresAt <= clock.toISOString(), 'it has expired'],
    [quote.madeOf.source !== now.source, 'the agent or signal setup has changed'],
    [quote.madeOf.persona !== now.persona, 'the persona has changed'],
    [quote.madeOf.prices !== now.prices, 'the price has changed'],
  ];
  const [, changed] = faults.find(([isFault]) => isFault) ?? [];
  if (changed !== undefined) throw outdatedBecause(changed);
}

/** The refusal of an outdated quote with its reason. */
export const outdatedBecause = (changed: string) =>
  quoteOutdated({ detail: `The quote is outdated: ${changed}. Ask for another one.` });
