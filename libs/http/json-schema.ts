import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parseInstant } from '#kernel/values/instants.js';
import type { JsonSchema } from './parameters.js';

/** Own formats: the check of a text, and the message if it fails. */
export const formats = {
  date: {
    validate: (text: string) => parseInstant(text)?.dateOnly ?? false,
    message: 'must be an ISO 8601 date',
  },
  'date-or-date-time': {
    validate: (text: string) => parseInstant(text) !== null,
    message: 'must be an ISO 8601 date or timestamp',
  },
} as const;

// stops at the first fault: `collectFaults` reports the faults, with a limit; schemas are not validated here, because
// they are validated in the published document
const ajv = new Ajv2020({
  allErrors: false,
  messages: false,
  strict: true,
  allowUnionTypes: true,
  validateSchema: false,
});
addFormats.default(ajv, ['date-time', 'uri', 'email', 'uuid']);
for (const [name, { validate }] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate });

/**
 * A function that checks a value against a schema. Compiled with the first value: compiling all schemas would take a
 * fifth of the start-up time, and most are not needed soon. Throws then for an unknown keyword.
 */
export function compileSchema(schema: JsonSchema): (value: unknown) => boolean {
  let validate: ((value: unknown) => boolean) | null = null;
  return (value) => (validate ??= ajv.compile(schema))(value);
}
