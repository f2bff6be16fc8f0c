import { Readable } from 'node:stream';
import { reply, type Reply } from './reply.js';

/** A text of a media type of its own, as a handler answers it. */
export type TextAnswer = Reply<Readable>;

/** An answer that is a text of a media type of its own, sent piece by piece as it is made. */
export function textAnswer(
  contentType: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): TextAnswer {
  return reply(Readable.from(pieces, { objectMode: false }), { headers: { 'content-type': contentType } });
}
