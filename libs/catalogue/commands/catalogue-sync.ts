import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fieldError } from '#kernel/values/refusal.js';
import { JsonMembers, Type } from '#kernel/values/schema.js';
import {
  parseCatalogueFile,
  shippedCatalogue,
  type CatalogueFile,
} from '#catalogue/domain/templates/catalogue-file.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { applyCatalogue } from './apply-catalogue.js';

export const catalogueSync = operatorCommand({
  name: 'catalogue.sync',
  summary: 'Bring the catalogue to a file (default: the shipped one); defines, revises, and retires if asked',
  input: Type.Object({
    file: Type.Optional(Type.String({ minLength: 1, description: 'path of a catalogue in JSON' })),
    catalogue: Type.Optional(described('the catalogue itself, in place of a file', JsonMembers)),
    retire: Type.Optional(Type.Boolean({ description: 'also retire templates that are not named' })),
  }),
  output: Type.Object({ events: Type.Integer({ minimum: 0 }) }),
  async run(host, { file, catalogue, retire = false }, context) {
    if (file !== undefined && catalogue !== undefined) {
      throw invalidInput({ errors: fieldError('catalogue', 'give either a file or a catalogue') });
    }
    const wanted =
      file !== undefined
        ? await readCatalogue(file)
        : catalogue !== undefined
          ? parseCatalogueFile(catalogue)
          : shippedCatalogue();
    return { events: await applyCatalogue(host, wanted, retire, context) };
  },
});

async function readCatalogue(path: string): Promise<CatalogueFile> {
  return parseCatalogueFile(parseJson(await readText(path)));
}

const LARGEST_FILE_BYTES = 8 * 1024 * 1024;

/** Never waits: what is no regular file may have nothing to read and nobody who ever writes. */
async function readText(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => {
    throw invalidInput({ errors: fieldError('file', 'cannot be read') });
  });
  try {
    const known = await file.stat();
    if (!known.isFile()) throw invalidInput({ errors: fieldError('file', 'is no regular file') });
    if (known.size > LARGEST_FILE_BYTES) {
      throw invalidInput({ errors: fieldError('file', 'is larger than 8 MiB') });
    }
    return await text(file.createReadStream({ start: 0, end: LARGEST_FILE_BYTES, autoClose: false }));
  } finally {
    await file.close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidInput({ errors: fieldError('file', 'is not JSON') });
  }
}
