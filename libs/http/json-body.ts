import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { RequestRefused } from './problem.js';

/** Deeper JSON is treated as malformed: what walks it later may recurse. */
const DEEPEST_JSON = 200;

const PLAIN_JSON = 'application/json';
const JSON_TYPE = /^\s*application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;

/** Facts about a body besides its value. */
export type ParsedBody = {
  /** Undefined: there was no body. */
  readonly value: unknown;
  /** The text had `\u` escapes. */
  readonly escapes: boolean;
};

/**
 * Makes Fastify parse every body that is not a stream with one parser: JSON, strictly UTF-8, at most 200 levels deep. An
 * empty body is no body, whatever its type; a body of another type is malformed (OP-71: 400, never 415).
 */
export function parseJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  // '*' alone would suffice; Fastify finds a listed type without parsing the header
  for (const type of [PLAIN_JSON, '*']) {
    fastify.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (request, body, done) => {
      try {
        if (body.length > 0) requireNoEncoding(request.headers['content-encoding']);
        done(null, parseJsonBody(request.headers['content-type'] ?? '', body));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }
}

/** Makes Fastify pass on bodies of this media type as they arrive, of any size. */
export function passStreams(fastify: FastifyInstance, mediaType: string): void {
  if (fastify.hasContentTypeParser(mediaType)) return;
  fastify.addContentTypeParser(mediaType, (request, payload, done) => {
    try {
      requireNoEncoding(request.headers['content-encoding']);
      done(null, payload);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/**
 * The JSON body of a request; without a body it is `{}`, but `null` is a body. Throws `RequestRefused` for a stream.
 */
export function jsonOf(arrived: ParsedBody | Readable | undefined): ParsedBody {
  // a stream treated as no body would pass for `{}`
  if (arrived !== undefined && Symbol.asyncIterator in arrived) throw wrongMediaType(PLAIN_JSON);
  return arrived?.value === undefined ? NO_BODY : arrived;
}

const NO_BODY: ParsedBody = { value: {}, escapes: false };

/** The body does not have the type that the endpoint takes (OP-71: 400, never 415). */
export function wrongMediaType(taken: string): RequestRefused {
  return malformed(`The body must be ${taken}.`);
}

/** Parses the bytes of a body; throws `RequestRefused` (400) if they are not JSON. */
function parseJsonBody(contentType: string, body: Buffer): ParsedBody {
  if (body.length === 0) return { value: undefined, escapes: false };
  if (contentType !== PLAIN_JSON && !JSON_TYPE.test(contentType))
    throw malformed('The request body must be sent as application/json.');
  if (!isUtf8(body)) throw malformed('The request body is not UTF-8 text.');
  const text = body.toString('utf8');
  if (isTooDeep(text)) throw malformed(`The request body is nested deeper than ${DEEPEST_JSON} levels.`);
  try {
    return { value: JSON.parse(text), escapes: text.includes('\\u') };
  } catch {
    if (text.trim() === '') return { value: undefined, escapes: false };
    throw malformed('The request body is not valid JSON.');
  }
}

/** Bodies are not decompressed: without this check a compressed body would be refused as invalid JSON. */
function requireNoEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') return;
  throw malformed('The request body must be sent without a content encoding.');
}

function malformed(detail: string): RequestRefused {
  return new RequestRefused({ status: 400, place: 'body', detail });
}

/** Counts brackets outside of strings; short texts are never too deep. */
function isTooDeep(text: string): boolean {
  if (text.length <= 2 * DEEPEST_JSON) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > DEEPEST_JSON) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
    }
  }
  return false;
}

/** Index of the quote that closes the string opened at `start`, or the length of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
