import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { mountedRoute } from './mounted-route.js';

type Kept = { readonly etag: string; readonly compressed: Buffer };

/** Texts at most that are remembered compressed: what is documented changes with the program only. */
const MOST_TEXTS = 16;

/**
 * Answers of endpoints that say so are compressed where the caller takes gzip, carry an `ETag`, and are 304 for who has
 * them already. Belongs after the hook that stamps the other headers.
 */
export function installKeptAnswers(fastify: FastifyInstance): void {
  const known = new Map<string, Kept>();
  const keptOf = (text: string): Kept => {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 27);
    const kept = known.get(hash) ?? { etag: `W/"${hash}"`, compressed: gzipSync(text) };
    if (known.size < MOST_TEXTS) known.set(hash, kept);
    return kept;
  };
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (
      mountedRoute(request)?.compiled.declared.kept !== true ||
      reply.statusCode !== 200 ||
      typeof payload !== 'string'
    ) {
      done(null, payload);
      return;
    }
    const { etag, compressed } = keptOf(payload);
    void reply.headers({ etag, 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' });
    if (names(request.headers['if-none-match'], etag)) {
      void reply.code(304).removeHeader('content-type');
      done(null, '');
    } else if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(request.headers['accept-encoding']))) {
      void reply.header('content-encoding', 'gzip').removeHeader('content-length');
      done(null, compressed);
    } else {
      done(null, payload);
    }
  });
}

const names = (header: string | undefined, etag: string): boolean =>
  header === '*' ||
  (header ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === etag.slice(2));
