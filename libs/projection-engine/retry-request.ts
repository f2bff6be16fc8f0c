import { randomUUID } from 'node:crypto';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { LeaseLost, type ReadStore } from '#kernel/ports/read-store.port.js';
import { HOUR_MS } from '#kernel/values/durations.js';

/** The result of a retry. */
export type RetryOutcome = {
  /** Parked events that are folded now. */
  readonly events: number;
  readonly stillParked: readonly { readonly workspaceId: string; readonly reason: string }[];
  /** The reason why the projection is still halted; null if it runs. */
  readonly halted: string | null;
};

/** The leader cannot do a retry; the message says why. */
export class RetryRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RetryRefused';
  }
}

/**
 * A retry that another process requests from the group's leader: the operator's command line next to a running
 * server.
 */
type RetryRequest = { readonly projectionName: string; readonly workspaceId: string | null };

/** The answer of the leader: the result, or the reason why the request cannot be handled. */
type RetryAnswer = RetryOutcome | { readonly refused: string };

const REQUEST = 'retry-request';
const ANSWER = 'retry-answer';

/** Writes a request for the leader of a group; the id finds the answer. */
export async function requestRetry(
  reads: ReadStore,
  groupName: string,
  request: RetryRequest,
): Promise<string> {
  const id = `${groupName}/${randomUUID()}`;
  await reads.putRecord(REQUEST, id, request);
  return id;
}

/** Removes a request that its process no longer waits for. */
export async function withdrawRetry(reads: ReadStore, id: string): Promise<void> {
  await reads.deleteRecord(REQUEST, id);
}

/** The answer to a request; it can be read once. Null while there is none. Throws `RetryRefused`. */
export async function takeRetryAnswer(reads: ReadStore, id: string): Promise<RetryOutcome | null> {
  const answer = await reads.getRecord<RetryAnswer>(ANSWER, id);
  if (answer === null) return null;
  await reads.deleteRecord(ANSWER, id);
  if ('refused' in answer) throw new RetryRefused(answer.refused);
  return answer;
}

const MOST_ANSWERS = 100;

/** Removes answers that were there an hour before: the process that asked was killed. Returns their number. */
export function answerSweep(reads: ReadStore, groupName: string): (nowMs?: number) => Promise<number> {
  let seen: ReadonlySet<string> = new Set();
  let notBeforeMs = -Infinity;
  return async (nowMs = performance.now()) => {
    if (nowMs < notBeforeMs) return 0;
    const answers = await reads.listRecords(ANSWER, `${groupName}/`, MOST_ANSWERS);
    const old = answers.filter(({ key }) => seen.has(key));
    for (const { key } of old) await reads.deleteRecord(ANSWER, key);
    seen = new Set(answers.map(({ key }) => key));
    notBeforeMs = nowMs + HOUR_MS;
    return old.length;
  };
}

/** A pending request with the key of its answer. */
export type WaitingRequest = { readonly key: string; readonly value: RetryRequest };

/** The pending requests to the leader of a group. */
export function retryRequests(reads: ReadStore, groupName: string): Promise<readonly WaitingRequest[]> {
  return reads.listRecords<RetryRequest>(REQUEST, `${groupName}/`, 100);
}

/**
 * Handles the requests one after the other. If the leader dies or its term ends, the next one continues with the request.
 * Any other error is the answer: repeated at every look, the request would end every term.
 */
export async function answerRequests(
  reads: ReadStore,
  requests: readonly WaitingRequest[],
  retry: (projectionName: string, workspaceId: string | null) => Promise<RetryOutcome>,
  ending: AbortSignal,
): Promise<void> {
  const answerTo = async ({ projectionName, workspaceId }: RetryRequest): Promise<RetryAnswer> => {
    try {
      return await retry(projectionName, workspaceId);
    } catch (error) {
      if (ending.aborted || error instanceof LeaseLost || error instanceof StoreUnavailable) throw error;
      return { refused: error instanceof Error ? error.message : String(error) };
    }
  };
  for (const { key, value } of requests) {
    await reads.putRecord(ANSWER, key, await answerTo(value));
    await reads.deleteRecord(REQUEST, key);
  }
}
