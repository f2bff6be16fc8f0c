import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { RequestRefused } from './problem.js';

/** Deeper JSON is treated as malformed: what walks it later may recurse. */
const DEEPEST_JSON = 200;

const PLAIN_JSON = 'application/json';
const JSON_TYPE = /^\s*application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;

/** What the parser found out about a body beside its value. */
export type ParsedBody = {
  /** Undefined: there was no body. */
  readonly value: unknown;
  /** The text had `\u` escapes. */
  readonly escapes: boolean;
};

/**
 * Makes Fastify read every body that is no stream with one parser: JSON, strictly UTF-8, no deeper than 200. An empty body is no
 * body, whatever its type says; a body of another type is malformed (OP-71: 400, never 415).
 */
export function parseJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  // '*' alone would do; Fastify finds a type that is named without parsing the header
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

/** Makes Fastify hand bodies of this media type on as they come, whatever their size. */
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

/** The JSON that arrived; no body is `{}`, but `null` is a body. Throws `RequestRefused` for a stream. */
export function jsonOf(arrived: ParsedBody | Readable | undefined): ParsedBody {
  // read as no body, what other endpoints take would pass for `{}`
  if (arrived !== undefined && Symbol.asyncIterator in arrived) throw wrongMediaType(PLAIN_JSON);
  return arrived?.value === undefined ? NO_BODY : arrived;
}

const NO_BODY: ParsedBody = { value: {}, escapes: false };

/** The body is not of the type that the endpoint takes (OP-71: 400, never 415). */
export function wrongMediaType(taken: string): RequestRefused {
  return malformed(`The body must be ${taken}.`);
}

/** Parses the bytes of a body; throws `RequestRefused` (400) for what is not JSON. */
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

/** Bodies are taken as they are: what is compressed would be told of its bytes and not of the reason. */
function requireNoEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') return;
  throw malformed('The request body must be sent without a content encoding.');
}

function malformed(detail: string): RequestRefused {
  return new RequestRefused({ status: 400, place: 'body', detail });
}

/** Counts brackets outside of strings; short texts cannot be deep. */
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
