import { fieldError } from '#kernel/values/refusal.js';
import { rulesOf } from '#kernel/testing/scenario.js';
import {
  allocateIds,
  answerRequest,
  attempt,
  keyOfOtherRequest,
  releaseRequest,
  request,
  type Attempt,
} from './request.js';

const deciding = rulesOf(request);
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
    deciding([], attempted()).then([claimed('b', 'second command')]);
  });

  it('is left to the attempt under way, and to its answer', () => {
    deciding([claimed('a')], attempted()).then([]);
    deciding([claimed('a'), answered('a')], attempted({ isHeld: () => false })).then([]);
  });

  it('is taken over with the command id of the first attempt where that was lost or has given up', () => {
    deciding([claimed('a')], attempted({ isHeld: () => false })).then([claimed('b')]);
    deciding([claimed('a'), released], attempted()).then([claimed('b')]);
  });

  it('is refused for another request, with or without a running attempt', () => {
    const other = keyOfOtherRequest({
      errors: fieldError('Idempotency-Key', 'was used for a different request'),
    });
    for (const past of [[claimed('a')], [claimed('a'), released], [claimed('a'), answered('a')]]) {
      deciding(past, attempted({ requestHash: 'another' })).then(other);
    }
  });

  it('leaves its key free when the claim has lapsed, counted from the first attempt', () => {
    const late = attempted({ requestHash: 'the same', lapsedBefore: '2026-01-01T00:00:00.500Z' });
    deciding([claimed('a'), answered('a')], late).then([claimed('b', 'second command')]);
    // the second attempt was recorded at 00:00:02, after the limit; the first at 00:00:00
    deciding([claimed('a'), released, claimed('c')], late).then([claimed('b', 'second command')]);
  });

  it('is not claimed where the workspace has too many, unless it is a repetition', () => {
    const late = { lapsedBefore: '2026-01-01T00:00:00.500Z' };
    deciding([], attempted({ mayClaim: false })).then([]);
    deciding([claimed('a'), answered('a')], attempted({ mayClaim: false, ...late })).then([]);
    deciding([claimed('a')], attempted({ mayClaim: false, isHeld: () => false })).then([claimed('b')]);
  });

  it('takes ids and an answer from the attempt under way only', () => {
    deciding([claimed('a')], allocateIds(allocated('a').data)).then([allocated('a')]);
    deciding([claimed('a')], answerRequest(answered('a').data)).then([answered('a')]);
    deciding([claimed('a')], releaseRequest(released.data)).then([released]);
    for (const past of [
      [claimed('a'), released],
      [claimed('a'), claimed('b')],
      [claimed('a'), answered('b')],
    ]) {
      deciding(past, allocateIds(allocated('a').data)).then([]);
      deciding(past, answerRequest(answered('a').data)).then([]);
      deciding(past, releaseRequest(released.data)).then([]);
    }
  });
});
