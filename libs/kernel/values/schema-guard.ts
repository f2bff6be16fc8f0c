import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from '@sinclair/typebox';

/**
 * Compiles the schemas of events and stored texts. It does not validate the schemas themselves: compiling that validation
 * takes a tenth of the start, and tests validate them.
 */
export const ownSchemas = new Ajv2020({ allErrors: false, strict: false, validateSchema: false });
addFormats.default(ownSchemas);

/** Whether a value is valid under a schema; the schema is compiled at the first call. */
export function guardOf<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  let isValid: ((value: unknown) => value is Static<Schema>) | null = null;
  return (value): value is Static<Schema> => (isValid ??= ownSchemas.compile<Static<Schema>>(schema))(value);
}
