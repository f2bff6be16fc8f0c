import { fieldError } from '#kernel/values/refusal.js';
import { JsonMembers, Type } from '#kernel/values/schema.js';
import { parseCatalogueFile, shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { invalidInput } from '#ops/support/amounts.js';
import { jsonFile } from '#ops/support/json-file.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { applyCatalogue } from './apply-catalogue.js';

export const catalogueSync = operatorCommand({
  name: 'catalogue.sync',
  summary:
    'Update the catalogue from a file (default: the shipped file): defines and revises templates, retires them if asked',
  input: Type.Object({
    file: Type.Optional(Type.String({ minLength: 1, description: 'path of a catalogue in JSON' })),
    catalogue: Type.Optional(described('the catalogue itself, in place of a file', JsonMembers)),
    retire: Type.Optional(
      Type.Boolean({ description: 'also retire templates that the file does not contain' }),
    ),
  }),
  output: Type.Object({ events: Type.Integer({ minimum: 0 }) }),
  async run(host, { file, catalogue, retire = false }, context) {
    if (file !== undefined && catalogue !== undefined) {
      throw invalidInput({ errors: fieldError('catalogue', 'give either a file or a catalogue') });
    }
    const wanted =
      file !== undefined
        ? parseCatalogueFile(await jsonFile('file', file))
        : catalogue !== undefined
          ? parseCatalogueFile(catalogue)
          : shippedCatalogue();
    return { events: await applyCatalogue(host, wanted, retire, context) };
  },
});
