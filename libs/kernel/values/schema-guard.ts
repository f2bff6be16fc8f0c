import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from '@sinclair/typebox';

// What judges schemas is left out: compiling it takes a tenth of a start, and tests hold ours against it.
const ajv = new Ajv2020({ allErrors: false, strict: false, validateSchema: false });
addFormats.default(ajv);

/** Tells whether a value is what a schema says; compiled when it is first asked. */
export function guardOf<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  let isValid: ((value: unknown) => value is Static<Schema>) | null = null;
  return (value): value is Static<Schema> => (isValid ??= ajv.compile<Static<Schema>>(schema))(value);
}
