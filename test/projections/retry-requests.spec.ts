import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { LeaseLost } from '#kernel/ports/read-store.port.js';
import {
  answerRequests,
  requestRetry,
  retryRequests,
  RetryRefused,
  takeRetryAnswer,
  type RetryOutcome,
} from '#projection-engine/retry-request.js';
import { bankPerCase } from './engine-fixture.js';

const DONE: RetryOutcome = { events: 3, stillParked: [], halted: null };

describe('a retry that another process requests', () => {
  const { reads } = bankPerCase();
  const request = (workspaceId: string | null = null): Promise<string> =>
    requestRetry(reads, 'bank', { projectionName: 'balances', workspaceId });
  const answer = async (
    retry: (projectionName: string, workspaceId: string | null) => Promise<RetryOutcome>,
    ending = new AbortController().signal,
  ): Promise<void> => answerRequests(reads, await retryRequests(reads, 'bank'), retry, ending);

  it('is answered once, and the answer is read once', async () => {
    const [one, other] = [await request('1'), await request()];
    const asked: unknown[] = [];
    const retry = async (...words: readonly unknown[]): Promise<RetryOutcome> => {
      asked.push(words);
      return DONE;
    };
    expect(await takeRetryAnswer(reads, one)).toBeNull();
    await answer(retry);
    await answer(retry);
    expect(asked).toHaveLength(2);
    expect(asked).toEqual(
      expect.arrayContaining([
        ['balances', '1'],
        ['balances', null],
      ]),
    );
    expect(await retryRequests(reads, 'bank')).toEqual([]);
    expect([await takeRetryAnswer(reads, one), await takeRetryAnswer(reads, other)]).toEqual([DONE, DONE]);
    expect([await takeRetryAnswer(reads, one), await takeRetryAnswer(reads, other)]).toEqual([null, null]);
  });

  it('is only seen by the leader of its group', async () => {
    await request();
    expect(await retryRequests(reads, 'ban')).toEqual([]);
    expect(await retryRequests(reads, 'bank')).toHaveLength(1);
  });

  it.each([
    ['an error', new Error('no such view'), 'no such view'],
    ['anything else', 'no such view', 'no such view'],
  ])('is refused with the reason of %s that the retry throws', async (_, thrown, reason) => {
    const id = await request();
    await answer(() => Promise.reject(thrown));
    expect(await retryRequests(reads, 'bank')).toEqual([]);
    await expect(takeRetryAnswer(reads, id)).rejects.toThrow(new RetryRefused(reason));
  });

  it.each([
    ['the lease is lost', new LeaseLost('projections:bank'), false],
    ['a store is away', new StoreUnavailable('away'), false],
    ['the term ends', new Error('ended'), true],
  ])('stays for the next leader if %s', async (_, thrown, isEnding) => {
    const id = await request();
    const ending = new AbortController();
    if (isEnding) ending.abort();
    await expect(answer(() => Promise.reject(thrown), ending.signal)).rejects.toBe(thrown);
    expect(await takeRetryAnswer(reads, id)).toBeNull();
    await answer(async () => DONE);
    expect(await takeRetryAnswer(reads, id)).toEqual(DONE);
  });
});
