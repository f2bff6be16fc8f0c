import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { JsonValue } from '#kernel/values/json.js';
import { fieldError } from '#kernel/values/refusal.js';
import { invalidInput } from './amounts.js';

const LARGEST_FILE_BYTES = 8 * 1024 * 1024;

/** The JSON of a file on this machine that a field names by its path. Throws `invalidInput` naming the field. */
export async function jsonFile(field: string, path: string): Promise<JsonValue> {
  const read = await readText(field, path);
  try {
    return JSON.parse(read);
  } catch {
    throw invalidInput({ errors: fieldError(field, 'is not JSON') });
  }
}

/** Never waits: a file that is not regular, such as a pipe, may have no data and no writer. */
async function readText(field: string, path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => {
    throw invalidInput({ errors: fieldError(field, 'cannot be read') });
  });
  try {
    const known = await file.stat();
    if (!known.isFile()) throw invalidInput({ errors: fieldError(field, 'is not a regular file') });
    if (known.size > LARGEST_FILE_BYTES) {
      throw invalidInput({ errors: fieldError(field, 'is larger than 8 MiB') });
    }
    return await text(file.createReadStream({ start: 0, end: LARGEST_FILE_BYTES, autoClose: false }));
  } finally {
    await file.close();
  }
}
