import { setTimeout as pause } from 'node:timers/promises';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { GroupLeader } from './group-leader.js';
import type { LeaderSession } from './leader-session.js';
import { requestRetry, takeRetryAnswer, withdrawRetry, type RetryOutcome } from './retry-request.js';
import { isEndOfTerm } from './term-ended.js';

export type RetryingOptions = {
  readonly reads: ReadStore;
  readonly groupName: string;
  readonly leader: GroupLeader;
  /** The term of this process that projects this view. */
  readonly sessionOf: (projectionName: string) => LeaderSession | null;
  /** A candidacy of its own, for a process that does not project. */
  readonly standIn: () => GroupLeader;
  /** How often the answer of the leader is read (ms). */
  readonly pollMs: number;
};

/**
 * Retries the events that a view could not fold, in this process if it projects the view, otherwise through the leader.
 * If a term ends before the retry does, the next leader does it.
 */
export function retrying({ reads, groupName, leader, sessionOf, standIn, pollMs }: RetryingOptions) {
  let isStopped = false;

  /** The result of `ask`; null if the term that was asked has ended, unless this process is to stop. */
  const unlessTermEnds = async <Result>(ask: () => Promise<Result> | undefined): Promise<Result | null> => {
    try {
      return (await ask()) ?? null;
    } catch (error) {
      if (isEndOfTerm(error) && !isStopped) return null;
      throw error;
    }
  };

  /** Without a leader, this process leads until the request is answered. */
  const retryThroughLeader = async (
    projectionName: string,
    workspaceId: string | null,
  ): Promise<RetryOutcome> => {
    const request = await requestRetry(reads, groupName, { projectionName, workspaceId });
    const other = standIn();
    other.start();
    try {
      for (;;) {
        const answer = await takeRetryAnswer(reads, request);
        if (answer !== null) return answer;
        await unlessTermEnds(() => (leader.session() ?? other.session())?.look());
        await pause(pollMs);
      }
    } finally {
      await other.stop();
      await withdrawRetry(reads, request);
    }
  };

  return {
    retry: async (projectionName: string, workspaceId: string | null): Promise<RetryOutcome> =>
      (await unlessTermEnds(() => sessionOf(projectionName)?.retry(projectionName, workspaceId))) ??
      (await retryThroughLeader(projectionName, workspaceId)),
    /** A retry in this process ends with its term. */
    stop: (): void => {
      isStopped = true;
    },
  };
}
