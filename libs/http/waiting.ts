import type { FastifyReply, FastifyRequest } from 'fastify';
import { untilBeat } from '#kernel/commands/beat.js';
import { waitWanted } from './preferences.js';

/** Longest wait of one request, in seconds. */
export const LONGEST_WAIT = 20;
/** The maximum number of waiting requests of one API key; a further one gets the current answer. */
const MOST_OF_A_KEY = 100;
/** The interval of checking for a new answer, in ms. */
const LOOKS_EVERY_MS = 250;
/** When a caller who does not wait should retry, in seconds. */
const ASK_AGAIN_SECONDS = '2';

/** Answers of a polled endpoint: `again` returns the current answer, `isRunning` whether it is not final. */
export type PolledAnswers<Answer = unknown> = {
  readonly again: () => Promise<Answer>;
  readonly isRunning: (answer: Answer) => boolean;
};

/** A waiting caller and its maximum wait. */
export type Waiter = {
  readonly keyId: number;
  /** At most `LONGEST_WAIT`. */
  readonly seconds: number;
  /** Aborted if the caller is gone. */
  readonly gone: AbortSignal;
  /** False once the service stops. */
  readonly isOpen: () => boolean;
};

/** Waits of callers, by API key. */
export type Waiting = {
  /**
   * The answer to a poll. With `Prefer: wait` it is sent when it is final, when the wait is over, when the caller is
   * gone or when the service stops. An answer that is not final carries `Retry-After`.
   */
  readonly lastAnswer: (
    polled: PolledAnswers,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>;
  /**
   * The first answer, or a later one under the same conditions; null if the key already has the maximum number of
   * waits.
   */
  readonly laterAnswer: <Answer>(
    polled: PolledAnswers<Answer>,
    first: Answer,
    waiter: Waiter,
  ) => Promise<{ readonly answer: Answer } | null>;
};

export function createWaiting(): Waiting {
  const waiting = new Map<number, number>();

  async function whileRunning<Answer>(
    { again, isRunning }: PolledAnswers<Answer>,
    first: Answer,
    { seconds, gone, isOpen }: Waiter,
  ): Promise<Answer> {
    const until = performance.now() + seconds * 1_000;
    let answer = first;
    while (isRunning(answer) && performance.now() < until) {
      await untilBeat(LOOKS_EVERY_MS, gone);
      if (gone.aborted || !isOpen()) return answer;
      answer = await again();
    }
    return answer;
  }

  const laterAnswer: Waiting['laterAnswer'] = async (polled, first, waiter) => {
    const { keyId } = waiter;
    const others = waiting.get(keyId) ?? 0;
    if (others >= MOST_OF_A_KEY) return null;
    waiting.set(keyId, others + 1);
    try {
      return { answer: await whileRunning(polled, first, waiter) };
    } finally {
      const left = (waiting.get(keyId) ?? 1) - 1;
      if (left === 0) waiting.delete(keyId);
      else waiting.set(keyId, left);
    }
  };

  return {
    laterAnswer,
    async lastAnswer(polled, request, reply) {
      const { isRunning, again } = polled;
      const first = await again();
      let answer = first;
      const { caller } = request;
      const wanted = waitWanted(request.headers['prefer']);
      if (wanted !== null && wanted > 0 && caller?.kind === 'apiKey') {
        const gone = new AbortController();
        const leave = (): void => gone.abort();
        const seconds = Math.min(wanted, LONGEST_WAIT);
        reply.raw.on('close', leave);
        const later = await laterAnswer(polled, first, {
          keyId: caller.keyId,
          seconds,
          gone: gone.signal,
          isOpen: () => request.server.server.listening,
        }).finally(() => reply.raw.off('close', leave));
        if (later !== null) {
          const applied = [reply.getHeader('preference-applied'), `wait=${seconds}`];
          void reply.header('preference-applied', applied.filter((each) => each !== undefined).join(', '));
          answer = later.answer;
        }
      }
      if (isRunning(answer)) void reply.header('retry-after', ASK_AGAIN_SECONDS);
      return answer;
    },
  };
}
