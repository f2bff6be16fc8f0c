import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/**
 * Ends the stream of an answer to HEAD, which has no body. Fastify reads such a stream to its end, and an event
 * stream has none: it would occupy its slot and read the feed until the process stops.
 */
export function installHeadStreams(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) {
      done(null, payload);
      return;
    }
    payload.destroy();
    done(null, Readable.from([]));
  });
}
