import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundFailure } from './outbound-failure.js';

/** The packings that are asked for. */
export const ACCEPTED_ENCODINGS = 'gzip, br';

export type BodyLimits = {
  /** Of the body as it is sent and of what comes out of it. */
  readonly maxBytes: number;
  /** Told when nothing more is read, whyever. */
  readonly onEnd: () => void;
  /** What ended the exchange from outside; null: nothing did. */
  readonly endedBy: () => unknown;
};

/** The body as it was before it was packed. Leaving the loop ends the connection. Throws `OutboundFailure`. */
export async function* unpackedBody(
  response: IncomingMessage,
  { maxBytes, onEnd, endedBy }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    for await (const chunk of unpacked(response)) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw endedBy() ?? failureOf(error);
  } finally {
    response.destroy();
    onEnd();
  }
}

function unpacked(response: IncomingMessage): AsyncIterable<Uint8Array> {
  const unpack = hasNoBody(response) ? null : unpackerOf(response.headers['content-encoding']);
  if (unpack === null) return response;
  const body: Readable = pipeline(response, unpack, () => undefined);
  return body;
}

function hasNoBody({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 204 || statusCode === 304 || headers['content-length'] === '0';
}

function unpackerOf(encoding: string | undefined): Transform | null {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  if (name === 'br') return createBrotliDecompress();
  if (name === 'deflate') return createInflate();
  throw new OutboundFailure('bad-encoding', 'answered in an encoding that was not asked for');
}

function tooLarge(maxBytes: number): OutboundFailure {
  return new OutboundFailure('too-large', `answered with more than ${maxBytes} bytes`);
}

function failureOf(error: unknown): unknown {
  if (error instanceof OutboundFailure) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // zlib wants more: the packed body ended before its end.
  if (code === 'Z_BUF_ERROR' || !/^(Z_|ERR_.*BROTLI|ERR__ERROR_)/.test(code))
    return new OutboundFailure('cut-off', 'the body broke off', { cause: error });
  return new OutboundFailure('bad-encoding', 'the body cannot be unpacked', { cause: error });
}
