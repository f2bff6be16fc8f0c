import { decider, type Decision } from '#kernel/commands/decider.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { requestEvents, type RequestEvents } from './request.events.js';

export type RequestLease = NonNullable<RequestEvents['RequestClaimed']['lease']>;
export type RequestAnswer = Omit<RequestEvents['RequestAnswered'], 'attempt'>;

type Claim = Omit<RequestEvents['RequestClaimed'], 'lease'>;

/** The state of a key: the claim is null until the first request claims the key. */
export type RequestClaim = {
  readonly claim: Claim | null;
  /** When the first attempt claimed the key. */
  readonly claimedAt: string;
  /** The running attempt; null if there is none. */
  readonly lease: RequestLease | null;
  /** Ids that the attempts were given, in order; by kind, or by kind and command. */
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

/** A keyed request of an operator, on an `operatorStream`, because there may be no workspace yet. */
export const operatorRequest: typeof request = { ...request, scope: 'global' };

/** The stream of the request of an operator command with this key. */
export const operatorStream = (command: string, key: string): string =>
  `operator_${sha256Hex(`${command}:${key}`).slice(0, 32)}`;

export const keyOfOtherRequest = refusal({
  code: 'key-of-other-request',
  kind: 'unprocessable',
  detail: 'This key was used for a different request.',
});

/** The maximum difference between the clocks of two hosts: five minutes each, and a margin. */
const SKEW_MS = 15 * 60_000;

/** From when on events of the claimed request may exist, whichever host wrote them. */
export const mayBeDoneSince = ({ claimedAt }: Pick<RequestClaim, 'claimedAt'>): string =>
  new Date(Date.parse(claimedAt) - SKEW_MS).toISOString();

/** Claims a key with the ids to use; a repetition finds the claim, another request is refused. */
export const claim =
  (field: string, input: Claim): RequestDecision =>
  (state) => {
    if (state.claim === null) return [{ type: 'RequestClaimed', data: input }];
    requireSameRequest(state.claim.requestHash, input.requestHash, field);
    return [];
  };

/** Claims a key, or finds its claim, and records an id of this attempt: the answer of an earlier one may be lost. */
export const claimForAttempt =
  (field: string, input: Omit<Claim, 'ids'>, attemptId: string, kind: string, id: number): RequestDecision =>
  (state) => [
    ...claim(field, { ...input, ids: {} })(state),
    { type: 'RequestIdsAllocated', data: { attempt: attemptId, kind, ids: [id] } },
  ];

/** The ids of the first request with the key; null if there was none. Throws if the key belongs to another request. */
export const idsOfClaim =
  (field: string, requestHash: string) =>
  ({ claim: claimed }: RequestClaim): Claim['ids'] | null => {
    if (claimed !== null) requireSameRequest(claimed.requestHash, requestHash, field);
    return claimed?.ids ?? null;
  };

/** The ids of one kind that attempts at the request were given. Throws if the key belongs to another request. */
export const idsOfAttempts =
  (field: string, requestHash: string, kind: string) =>
  ({ claim: claimed, allocated }: RequestClaim): readonly number[] => {
    if (claimed !== null) requireSameRequest(claimed.requestHash, requestHash, field);
    return allocated[kind] ?? [];
  };

function requireSameRequest(claimed: string, asked: string, field: string): void {
  if (claimed === asked) return;
  throw keyOfOtherRequest({ errors: fieldError(field, 'was used for a different request') });
}

export type Attempt = {
  readonly requestHash: string;
  /** The command id of the first attempt, which later attempts continue to use. */
  readonly commandId: string;
  readonly lease: RequestLease;
  /** Claims from before this time have lapsed: the key is free again. */
  readonly lapsedBefore: string;
  /** Whether the workspace may claim a key that is free. */
  readonly mayClaim: boolean;
  /** Whether the attempt of a lease is still running. */
  readonly isHeld: (lease: RequestLease) => boolean;
};

/** True for a key without a claim, or with a lapsed one. */
export function isFree({ claim: claimed, claimedAt }: RequestClaim, lapsedBefore: string): boolean {
  return claimed === null || claimedAt < lapsedBefore;
}

/** The stored answer of a key that has not lapsed, or null. Throws if the key belongs to another request. */
export const keptAnswer =
  (field: string, requestHash: string, lapsedBefore: string) =>
  (state: RequestClaim): RequestAnswer | null => {
    if (state.claim === null || isFree(state, lapsedBefore)) return null;
    requireSameRequest(state.claim.requestHash, requestHash, field);
    return state.answer;
  };

/**
 * Begins an attempt at a request: the first of its key, or the next one after a lost attempt. No effect if the request is
 * answered, if another attempt is running, or if the key is free and may not be claimed.
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

/** Records ids for all later attempts; no effect if another attempt is running. */
export const allocateIds =
  (allocated: RequestEvents['RequestIdsAllocated']): RequestDecision =>
  (state) =>
    isUnderWay(state, allocated.attempt) ? [{ type: 'RequestIdsAllocated', data: allocated }] : [];

/** Records the answer; no effect if another attempt is running. */
export const answerRequest =
  (answered: RequestEvents['RequestAnswered']): RequestDecision =>
  (state) =>
    isUnderWay(state, answered.attempt) ? [{ type: 'RequestAnswered', data: answered }] : [];

/** Ends the attempt without an answer. */
export const releaseRequest =
  (released: RequestEvents['RequestReleased']): RequestDecision =>
  (state) =>
    isUnderWay(state, released.attempt) ? [{ type: 'RequestReleased', data: released }] : [];

/** True while this is the running attempt. */
export function isUnderWay(state: RequestClaim, attemptId: string): boolean {
  return state.lease?.attempt === attemptId;
}
