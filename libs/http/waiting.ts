import type { FastifyReply, FastifyRequest } from 'fastify';
import { untilBeat } from '#kernel/commands/beat.js';
import { waitWanted } from './preferences.js';

/** Longest wait of one request, in seconds. */
export const LONGEST_WAIT = 20;
/** Requests of one API key that wait at once; another one gets the answer of now. */
const MOST_OF_A_KEY = 100;
/** So often an answer is looked at anew, in ms. */
const LOOKS_EVERY_MS = 250;
/** When a caller who does not wait should ask again, in seconds. */
const ASK_AGAIN_SECONDS = '2';

/** Answers of a polled endpoint: `again` gives the answer of now, `isRunning` whether another one follows it. */
export type PolledAnswers<Answer = unknown> = {
  readonly again: () => Promise<Answer>;
  readonly isRunning: (answer: Answer) => boolean;
};

/** Who waits, and for how long at most. */
export type Waiter = {
  readonly keyId: number;
  /** At most `LONGEST_WAIT`. */
  readonly seconds: number;
  /** Aborted where the caller is gone. */
  readonly gone: AbortSignal;
  /** False once the service stops. */
  readonly isOpen: () => boolean;
};

/** Who waits for the end of something, by API key. */
export type Waiting = {
  /**
   * The answer to a poll. With `Prefer: wait` it is given when nothing follows it any more, when the wait is over, when
   * the caller is gone or when the service stops. An answer that another one follows carries `Retry-After`.
   */
  readonly lastAnswer: (
    polled: PolledAnswers,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>;
  /**
   * The first answer, or a later one that is given for the same reasons; null where as many of the key wait as may:
   * then nobody waits.
   */
  readonly laterAnswer: <Answer>(
    polled: PolledAnswers<Answer>,
    first: Answer,
    waiter: Waiter,
  ) => Promise<{ readonly answer: Answer } | null>;
};

/** `nowMs` is real time. */
export function createWaiting(nowMs: () => number = () => performance.now()): Waiting {
  const waiting = new Map<number, number>();

  async function whileRunning<Answer>(
    { again, isRunning }: PolledAnswers<Answer>,
    first: Answer,
    { seconds, gone, isOpen }: Waiter,
  ): Promise<Answer> {
    const until = nowMs() + seconds * 1_000;
    let answer = first;
    while (isRunning(answer) && nowMs() < until) {
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
