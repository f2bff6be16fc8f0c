import type { FastifyInstance, FastifyReply } from 'fastify';
import { codingFor, compress } from './content-coding.js';

/** A smaller page fits into one packet: compressing it saves the caller nothing. */
const SMALL_BYTES = 1_400;

/**
 * Compresses pages that a handler returns as one text, if the caller accepts that. Streams are not compressed:
 * server-sent events must arrive when they are written, and files may be long. A page that contains both a secret and
 * text from others must mask the secret, because the compressed size would reveal it. Must be registered after the hook
 * that adds the other headers.
 */
export function installCompressedPages(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || !isPage(reply)) {
      done(null, payload);
      return;
    }
    const varies = reply.getHeader('vary');
    void reply.header(
      'vary',
      varies === undefined ? 'Accept-Encoding' : `${String(varies)}, Accept-Encoding`,
    );
    const coding = codingFor(String(request.headers['accept-encoding'] ?? ''));
    const bytes = Buffer.from(payload);
    if (coding === null || bytes.length < SMALL_BYTES) {
      done(null, payload);
      return;
    }
    compress(bytes, coding, 'fresh').then((coded) => {
      void reply.headers({ 'content-encoding': coding, 'content-length': coded.length });
      done(null, coded);
    }, done);
  });
}

const isPage = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type') ?? '').startsWith('text/html');
