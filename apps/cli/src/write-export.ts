import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a text of any length as fast as it is taken. A file is there whole or not at all. */
export async function writeExport(pieces: AsyncIterable<string>, file: string | null): Promise<void> {
  if (file === null) {
    await pipeline(Readable.from(pieces), process.stdout, { end: false });
    return;
  }
  const unfinished = `${file}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(unfinished, { flush: true }));
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}
