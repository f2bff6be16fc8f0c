import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** An answer that is a text of a media type of its own, sent piece by piece as it is made. */
export function textAnswer(
  contentType: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): StreamableFile {
  return new StreamableFile(Readable.from(pieces, { objectMode: false }), { type: contentType });
}
