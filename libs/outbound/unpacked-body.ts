import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundFailure } from './outbound-failure.js';

/** The accepted encodings. */
export const ACCEPTED_ENCODINGS = 'gzip, br';

export type BodyLimits = {
  /** The maximum size, for both the compressed and the decompressed body. */
  readonly maxBytes: number;
  /** Called when nothing more is read, for any reason. */
  readonly onEnd: () => void;
  /** The reason of an abort from outside; null: none. */
  readonly endedBy: () => unknown;
};

/** The decompressed body. Leaving the loop closes the connection. Throws `OutboundFailure`. */
export async function* unpackedBody(
  response: IncomingMessage,
  { maxBytes, onEnd, endedBy }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    yield* bounded(unpacked(response, maxBytes), maxBytes);
  } catch (error) {
    throw endedBy() ?? failureOf(error);
  } finally {
    response.destroy();
    onEnd();
  }
}

function unpacked(response: IncomingMessage, maxBytes: number): AsyncIterable<Uint8Array> {
  const unpack = hasNoBody(response) ? null : unpackerOf(response.headers['content-encoding']);
  if (unpack === null) return response;
  const body: Readable = pipeline(
    response,
    // Packed bytes without an end may unpack to nothing.
    (sent) => bounded(sent, maxBytes),
    unpack,
    () => undefined,
  );
  return body;
}

async function* bounded(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
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
  throw new OutboundFailure('bad-encoding', 'answered in an encoding that was not requested');
}

function tooLarge(maxBytes: number): OutboundFailure {
  return new OutboundFailure('too-large', `answered with more than ${maxBytes} bytes`);
}

function failureOf(error: unknown): unknown {
  if (error instanceof OutboundFailure) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // zlib expects more input: the compressed body is incomplete.
  if (code === 'Z_BUF_ERROR' || !/^(Z_|ERR_.*BROTLI|ERR__ERROR_)/.test(code))
    return new OutboundFailure('cut-off', 'the body is incomplete', { cause: error });
  return new OutboundFailure('bad-encoding', 'the body cannot be unpacked', { cause: error });
}
