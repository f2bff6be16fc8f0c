import { fromStored, type Credits } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { refusal } from '#kernel/values/refusal.js';
import { DAY_MS } from '#kernel/values/durations.js';
import type { CreditAccount } from './account-state.js';
import type { CreditPayloads } from './credits.events.js';

/** A grant or withdrawal without a key, kept to detect an accidental repetition. */
export type RecentPosting = {
  readonly kind: 'grant' | 'withdrawal';
  readonly movementId: number;
  /** Micro-credits as stored text. */
  readonly credits: string;
  readonly reasonHash: string;
  readonly recordedAt: string;
};

export const postingRepeated = refusal({
  code: 'posting-repeated',
  kind: 'conflicting',
  detail: 'The same amount was posted for the same reason within a day.',
});

/** Remembers a posting without a key for a day of ledger time, and forgets older ones. */
export function rememberRecent(
  { postings: { recent } }: CreditAccount,
  kind: RecentPosting['kind'],
  event: Recorded<CreditPayloads['CreditsGranted']>,
): void {
  const recordedAt = recordedAtOf(event);
  const { movementId, key, credits, reason } = event.data;
  for (const [id, earlier] of recent) {
    if (Date.parse(recordedAt) - Date.parse(earlier.recordedAt) < DAY_MS) break;
    recent.delete(id);
  }
  if (key === undefined)
    recent.set(movementId, { kind, movementId, credits, reasonHash: sha256Hex(reason), recordedAt });
}

/**
 * The last other posting with this amount and reason and without a key in the day before `now`; null if there is
 * none.
 */
export function sameWithinADay(
  { postings: { recent } }: Pick<CreditAccount, 'postings'>,
  wanted: {
    readonly kind: RecentPosting['kind'];
    readonly movementId: number;
    readonly key?: string;
    readonly credits: Credits;
    readonly reason: string;
  },
  now: string,
): RecentPosting | null {
  if (wanted.key !== undefined) return null;
  const reasonHash = sha256Hex(wanted.reason);
  const same = [...recent.values()].filter(
    (earlier) =>
      earlier.kind === wanted.kind &&
      earlier.movementId !== wanted.movementId &&
      fromStored(earlier.credits) === wanted.credits &&
      earlier.reasonHash === reasonHash &&
      Date.parse(now) - Date.parse(earlier.recordedAt) < DAY_MS,
  );
  return same.at(-1) ?? null;
}
