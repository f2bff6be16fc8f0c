import { Readable } from 'node:stream';
import { reply, type Reply } from './reply.js';

/** A handler's answer with its own media type. */
export type TextAnswer = Reply<Readable>;

/** An answer with its own media type, sent in pieces as they are created. */
export function textAnswer(
  contentType: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): TextAnswer {
  return reply(Readable.from(pieces, { objectMode: false }), { headers: { 'content-type': contentType } });
}
