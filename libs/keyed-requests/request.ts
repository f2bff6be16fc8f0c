import { decider, type Decision } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { requestEvents, type RequestEvents } from './request.events.js';

export type RequestLease = NonNullable<RequestEvents['RequestClaimed']['lease']>;
export type RequestAnswer = Omit<RequestEvents['RequestAnswered'], 'attempt'>;

/** Who answers for a key: null until the first request claims it. */
export type RequestClaim = {
  readonly claim: {
    readonly requestHash: string;
    readonly commandId: string;
    readonly ids: JsonObject;
  } | null;
  /** When the first attempt claimed the key. */
  readonly claimedAt: string;
  /** The attempt under way; null when none is. */
  readonly lease: RequestLease | null;
  /** Ids by kind that the attempts were given, in order. */
  readonly allocated: { readonly [kind: string]: readonly number[] };
  readonly answer: RequestAnswer | null;
};

type RequestDecision = Decision<RequestClaim, typeof requestEvents>;

const unclaimed: RequestClaim = { claim: null, claimedAt: '', lease: null, allocated: {}, answer: null };

export const request = decider<RequestClaim>()({
  category: 'request',
  scope: 'workspace',
  vocabulary: requestEvents,
  strict: true,
  initial: () => unclaimed,
  on: {
    RequestClaimed: (state, event) => {
      const { lease = null, ...claim } = event.data;
      return state.claim?.commandId === claim.commandId
        ? { ...state, lease }
        : { ...unclaimed, claim, lease, claimedAt: recordedAtOf(event) };
    },
    RequestIdsAllocated: (state, { data: { kind, ids } }) => ({
      ...state,
      allocated: { ...state.allocated, [kind]: [...(state.allocated[kind] ?? []), ...ids] },
    }),
    RequestReleased: (state) => ({ ...state, lease: null }),
    RequestAnswered: (state, { data: { attempt: _, ...answer } }) => ({ ...state, lease: null, answer }),
  },
});

/** What an operator asked for once: its streams are `operator_<hash>`, for there may be no workspace yet. */
export const operatorRequest: typeof request = { ...request, scope: 'global' };

export const keyOfOtherRequest = refusal({
  code: 'key-of-other-request',
  kind: 'unprocessable',
  detail: 'This key was used for a different request.',
});

/** Claims a key with the ids to use; a repetition finds the claim, another request is refused. */
export const claim =
  (
    field: string,
    input: { readonly requestHash: string; readonly commandId: string; readonly ids: JsonObject },
  ): RequestDecision =>
  (state) => {
    if (state.claim === null) return [{ type: 'RequestClaimed', data: input }];
    requireSameRequest(state.claim.requestHash, input.requestHash, field);
    return [];
  };

function requireSameRequest(claimed: string, asked: string, field: string): void {
  if (claimed === asked) return;
  throw keyOfOtherRequest({ errors: fieldError(field, 'was used for a different request') });
}

export type Attempt = {
  readonly requestHash: string;
  /** Of the first attempt; those that take over go on with the first one's. */
  readonly commandId: string;
  readonly lease: RequestLease;
  /** Claims from before this time have lapsed: the key is free again. */
  readonly lapsedBefore: string;
  /** Whether the workspace may claim a key that is free. */
  readonly mayClaim: boolean;
  /** Whether the holder of a lease is still at work on it. */
  readonly isHeld: (lease: RequestLease) => boolean;
};

/** True for a key that nobody has claimed, or whose claim has lapsed. */
export function isFree({ claim: claimed, claimedAt }: RequestClaim, lapsedBefore: string): boolean {
  return claimed === null || claimedAt < lapsedBefore;
}

/** The answer of a key that has not lapsed, null where none is kept. Throws where the key is another request's. */
export const keptAnswer =
  (field: string, requestHash: string, lapsedBefore: string) =>
  (state: RequestClaim): RequestAnswer | null => {
    if (state.claim === null || isFree(state, lapsedBefore)) return null;
    requireSameRequest(state.claim.requestHash, requestHash, field);
    return state.answer;
  };

/**
 * Begins an attempt at a request: the first one of its key, or one that takes over where the last was lost.
 * Nothing where it is answered already, another attempt is under way, or the key is free and may not be claimed.
 */
export const attempt =
  (
    field: string,
    { requestHash, commandId, lease, lapsedBefore, mayClaim, isHeld }: Attempt,
  ): RequestDecision =>
  (state) => {
    if (state.claim === null || isFree(state, lapsedBefore)) {
      return mayClaim ? [{ type: 'RequestClaimed', data: { requestHash, commandId, ids: {}, lease } }] : [];
    }
    requireSameRequest(state.claim.requestHash, requestHash, field);
    if (state.answer !== null || (state.lease !== null && isHeld(state.lease))) return [];
    return [{ type: 'RequestClaimed', data: { ...state.claim, lease } }];
  };

/** Keeps ids for all attempts to come; nothing where another attempt has taken over. */
export const allocateIds =
  (allocated: RequestEvents['RequestIdsAllocated']): RequestDecision =>
  (state) =>
    isUnderWay(state, allocated.attempt) ? [{ type: 'RequestIdsAllocated', data: allocated }] : [];

/** Keeps the answer; nothing where another attempt has taken over. */
export const answerRequest =
  (answered: RequestEvents['RequestAnswered']): RequestDecision =>
  (state) =>
    isUnderWay(state, answered.attempt) ? [{ type: 'RequestAnswered', data: answered }] : [];

/** Ends the attempt without an answer. */
export const releaseRequest =
  (released: RequestEvents['RequestReleased']): RequestDecision =>
  (state) =>
    isUnderWay(state, released.attempt) ? [{ type: 'RequestReleased', data: released }] : [];

/** True while this attempt is the one that answers. */
export function isUnderWay(state: RequestClaim, attemptId: string): boolean {
  return state.lease?.attempt === attemptId;
}
