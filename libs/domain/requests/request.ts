import { decider, type Decision } from '#kernel/decider.js';
import type { JsonObject } from '#kernel/json.js';
import { fieldError, refusal } from '#kernel/refusal.js';
import { requestEvents } from './request.events.js';

/** Who answers for a key: null until the first request claims it. */
export type RequestClaim = {
  readonly claim: {
    readonly requestHash: string;
    readonly commandId: string;
    readonly ids: JsonObject;
  } | null;
};

export const request = decider<RequestClaim>()({
  category: 'request',
  vocabulary: requestEvents,
  strict: true,
  initial: () => ({ claim: null }),
  on: { RequestClaimed: (_, { data }) => ({ claim: data }) },
});

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
  ): Decision<RequestClaim, typeof requestEvents> =>
  (state) => {
    if (state.claim === null) return [{ type: 'RequestClaimed', data: input }];
    if (state.claim.requestHash !== input.requestHash) {
      throw keyOfOtherRequest({ errors: fieldError(field, 'was used for a different request') });
    }
    return [];
  };
