import type { FastifyInstance, FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The turn of the loop in which it came, counted from the first. */
    turn: number;
  }
}

type Waiting = {
  readonly reply: FastifyReply;
  readonly payload: unknown;
  readonly send: (error: Error | null, payload?: unknown) => void;
};

/** What takes longer is no small request: its write is a small part of it, and those beside it have waited enough. */
const SMALL_MS = 0.5;

/**
 * Sends the answers to requests that came in one turn of the loop at its end, one after the other. Each write to a
 * caller who sleeps wakes him, which the kernel does on the writer's time and which is a third of a small request; of
 * those that are written in a row the first is woken, and finds the others' when he has read his own. What had to wait
 * for something else is sent at once: it comes with those that waited for the same; and so is what took long by itself,
 * with those that wait. Belongs after every other hook that looks at an answer.
 */
export function installAnswersTogether(fastify: FastifyInstance, smallMs: number = SMALL_MS): void {
  let waiting: Waiting[] = [];
  let turn = 0;
  let isOver = true;
  const sendAll = (): void => {
    const answers = waiting;
    waiting = [];
    for (const answer of answers) sendOne(answer);
  };
  const endTurn = (): void => {
    isOver = true;
    sendAll();
  };
  fastify.decorateRequest('turn', 0);
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (isOver) {
      isOver = false;
      turn += 1;
      setImmediate(endTurn);
    }
    request.turn = turn;
    done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const answer = { reply, payload, send: done };
    if (isOver || request.turn !== turn) {
      sendOne(answer);
      return;
    }
    waiting.push(answer);
    if (reply.elapsedTime > smallMs) sendAll();
  });
}

function sendOne({ reply, payload, send }: Waiting): void {
  try {
    send(null, payload);
  } catch (error) {
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    // a header that HTTP forbids, whichever it is
    for (const name of Object.keys(reply.getHeaders())) void reply.removeHeader(name);
    send(error instanceof Error ? error : new Error(String(error)));
  }
}
