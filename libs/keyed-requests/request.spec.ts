import { fieldError } from '#kernel/values/refusal.js';
import { given } from '#kernel/testing/scenario.js';
import {
  allocateIds,
  answerRequest,
  attempt,
  keyOfOtherRequest,
  releaseRequest,
  request,
  type Attempt,
} from './request.js';

const leaseOf = (attemptId: string) => ({
  attempt: attemptId,
  holder: 'host:1:x',
  until: '2026-01-01T00:01:00.000Z',
});
const claimed = (attemptId: string, commandId = 'first command') =>
  ({
    type: 'RequestClaimed',
    data: { requestHash: 'the same', commandId, ids: {}, lease: leaseOf(attemptId) },
  }) as const;
const allocated = (attemptId: string) =>
  ({ type: 'RequestIdsAllocated', data: { attempt: attemptId, kind: 'list', ids: [4] } }) as const;
const released = { type: 'RequestReleased', data: { attempt: 'a' } } as const;
const answered = (attemptId: string) =>
  ({
    type: 'RequestAnswered',
    data: { attempt: attemptId, status: 201, headers: { 'content-type': 'application/json' }, body: '{}' },
  }) as const;
const attempted = (changes: Partial<Attempt> = {}) =>
  attempt('Idempotency-Key', {
    requestHash: 'the same',
    commandId: 'second command',
    lease: leaseOf('b'),
    lapsedBefore: '2025-12-31T00:00:00.000Z',
    mayClaim: true,
    isHeld: () => true,
    ...changes,
  });

describe('a request with a key (OP-66)', () => {
  it('is claimed by the first attempt', () => {
    given(request, [])
      .when(attempted())
      .then([claimed('b', 'second command')]);
  });

  it('is left to the attempt under way, and to its answer', () => {
    given(request, [claimed('a')])
      .when(attempted())
      .then([]);
    given(request, [claimed('a'), answered('a')])
      .when(attempted({ isHeld: () => false }))
      .then([]);
  });

  it('is taken over with the command id of the first attempt where that was lost or has given up', () => {
    given(request, [claimed('a')])
      .when(attempted({ isHeld: () => false }))
      .then([claimed('b')]);
    given(request, [claimed('a'), released])
      .when(attempted())
      .then([claimed('b')]);
  });

  it('is refused for another request, with or without a running attempt', () => {
    const other = keyOfOtherRequest({
      errors: fieldError('Idempotency-Key', 'was used for a different request'),
    });
    for (const past of [[claimed('a')], [claimed('a'), released], [claimed('a'), answered('a')]]) {
      given(request, past)
        .when(attempted({ requestHash: 'another' }))
        .then(other);
    }
  });

  it('leaves its key free when the claim has lapsed, counted from the first attempt', () => {
    const late = attempted({ requestHash: 'the same', lapsedBefore: '2026-01-01T00:00:00.500Z' });
    given(request, [claimed('a'), answered('a')])
      .when(late)
      .then([claimed('b', 'second command')]);
    // the second attempt was recorded at 00:00:02, after the limit; the first at 00:00:00
    given(request, [claimed('a'), released, claimed('c')])
      .when(late)
      .then([claimed('b', 'second command')]);
  });

  it('is not claimed where the workspace has too many, unless it is a repetition', () => {
    const late = { lapsedBefore: '2026-01-01T00:00:00.500Z' };
    given(request, [])
      .when(attempted({ mayClaim: false }))
      .then([]);
    given(request, [claimed('a'), answered('a')])
      .when(attempted({ mayClaim: false, ...late }))
      .then([]);
    given(request, [claimed('a')])
      .when(attempted({ mayClaim: false, isHeld: () => false }))
      .then([claimed('b')]);
  });

  it('takes ids and an answer from the attempt under way only', () => {
    given(request, [claimed('a')])
      .when(allocateIds(allocated('a').data))
      .then([allocated('a')]);
    given(request, [claimed('a')])
      .when(answerRequest(answered('a').data))
      .then([answered('a')]);
    given(request, [claimed('a')])
      .when(releaseRequest(released.data))
      .then([released]);
    for (const past of [
      [claimed('a'), released],
      [claimed('a'), claimed('b')],
      [claimed('a'), answered('b')],
    ]) {
      given(request, past)
        .when(allocateIds(allocated('a').data))
        .then([]);
      given(request, past)
        .when(answerRequest(answered('a').data))
        .then([]);
      given(request, past).when(releaseRequest(released.data)).then([]);
    }
  });
});
