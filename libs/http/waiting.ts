import type { FastifyReply, FastifyRequest } from 'fastify';
import { untilBeat } from '#kernel/commands/beat.js';
import { waitWanted } from './preferences.js';

/** Longest wait of one request, in seconds. */
const LONGEST_WAIT = 20;
/** Requests of one API key that wait at once; another one gets the answer of now. */
const MOST_OF_A_KEY = 100;
/** So often an answer is looked at anew, in ms. */
const LOOKS_EVERY_MS = 250;
/** When a caller who does not wait should ask again, in seconds. */
const ASK_AGAIN_SECONDS = '2';

/** Answers of a polled endpoint: `again` gives the answer of now, `isRunning` whether another one follows it. */
export type PolledAnswers = {
  readonly again: () => Promise<unknown>;
  readonly isRunning: (answer: unknown) => boolean;
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
};

/** `nowMs` is real time. */
export function createWaiting(nowMs: () => number = () => performance.now()): Waiting {
  const waiting = new Map<number, number>();

  async function whileRunning(
    { again, isRunning }: PolledAnswers,
    first: unknown,
    seconds: number,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const until = nowMs() + seconds * 1_000;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    reply.raw.on('close', leave);
    try {
      let answer = first;
      while (isRunning(answer) && nowMs() < until) {
        await untilBeat(LOOKS_EVERY_MS, gone.signal);
        if (gone.signal.aborted || !request.server.server.listening) return answer;
        answer = await again();
      }
      return answer;
    } finally {
      reply.raw.off('close', leave);
    }
  }

  return {
    async lastAnswer(polled, request, reply) {
      const { isRunning, again } = polled;
      const first = await again();
      let answer = first;
      const { caller } = request;
      const wanted = waitWanted(request.headers['prefer']);
      if (wanted !== null && wanted > 0 && caller?.kind === 'apiKey') {
        const { keyId } = caller;
        const others = waiting.get(keyId) ?? 0;
        const seconds = Math.min(wanted, LONGEST_WAIT);
        if (others < MOST_OF_A_KEY) {
          const applied = [reply.getHeader('preference-applied'), `wait=${seconds}`];
          void reply.header('preference-applied', applied.filter((each) => each !== undefined).join(', '));
          waiting.set(keyId, others + 1);
          try {
            answer = await whileRunning(polled, first, seconds, request, reply);
          } finally {
            const left = (waiting.get(keyId) ?? 1) - 1;
            if (left === 0) waiting.delete(keyId);
            else waiting.set(keyId, left);
          }
        }
      }
      if (isRunning(answer)) void reply.header('retry-after', ASK_AGAIN_SECONDS);
      return answer;
    },
  };
}
