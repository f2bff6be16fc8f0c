import { toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Type, type Static } from '#kernel/values/schema.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import type { CreditEvent } from '#ledger/domain/credits.events.js';
import type { Grant } from '#ledger/domain/post-credits.js';
import { BalanceAnswer, balanceOf } from '#ledger/answers/balance.answer.js';
import { sameWithinADay } from '#ledger/domain/recent-postings.js';
import { described, Reason } from '#ops/support/inputs.js';

/** The reason for a grant, withdrawal or adjustment; printed on the statement. */
export const PostingReason = described('reason; printed on the statement', Reason);
/** A repeated grant, withdrawal or adjustment with the same key is made once. */
export const PostingKey = described(
  'key of this posting: a repetition with the same key changes nothing',
  Type.String({ minLength: 1, maxLength: 255 }),
);

/**
 * `replayed`: the key was already used for the same posting. Nothing was posted, and `movement_id` is that of the
 * first call. `revision` is the ledger revision of this balance.
 */
export const PostingAnswer = Type.Object({
  movement_id: Id,
  credits: Type.Number(),
  revision: Type.Integer({ minimum: 0 }),
  replayed: Type.Boolean(),
  balance: BalanceAnswer,
  /** Warnings for the caller. */
  notes: Type.Optional(Type.Array(Type.String())),
});
type PostingView = Immutable<Static<typeof PostingAnswer>>;

/** The answer of a grant, withdrawal or adjustment, computed from the state right after it. */
export const postingAnswer =
  ({ movementId, key = '', credits }: Grant, keys: 'byGrantKey' | 'byAdjustKey') =>
  ({ books, postings, memory }: CreditAccount, events: readonly CreditEvent[]): PostingView => {
    const replayed = events.length === 0;
    return {
      movement_id: replayed ? (postings[keys].get(key)?.movementId ?? movementId) : movementId,
      credits: toJsonNumber(credits),
      revision: Number(memory.revision),
      replayed,
      balance: balanceOf(books),
    };
  };

/** Posts even if an equal posting was made within a day. */
export const Again = described(
  'post although the same amount was posted for the same reason within a day',
  Type.Boolean(),
);

/** Like `postingAnswer`, with a note if the same amount was posted for the same reason without a key within a day. */
export const notedPostingAnswer =
  (wanted: Grant, kind: 'grant' | 'withdrawal', now: string) =>
  (account: CreditAccount, events: readonly CreditEvent[]): PostingView => {
    const answer = postingAnswer(wanted, 'byGrantKey')(account, events);
    const same = sameWithinADay(account, { ...wanted, kind }, now);
    if (same === null) return answer;
    const { movementId, recordedAt } = same;
    const note = `the same amount was posted for the same reason at ${recordedAt}, as movement ${movementId}: use a grant_key to make a repetition idempotent`;
    return { ...answer, notes: [note] };
  };
