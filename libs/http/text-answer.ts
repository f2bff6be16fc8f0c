import { Readable } from 'node:stream';
import { reply, type Reply } from './reply.js';

/** A handler's answer with a media type of its own. */
export type TextAnswer = Reply<Readable>;

/** An answer with a media type of its own, sent in pieces as it is made. */
export function textAnswer(
  contentType: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): TextAnswer {
  return reply(Readable.from(pieces, { objectMode: false }), { headers: { 'content-type': contentType } });
}
