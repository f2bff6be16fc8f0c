import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parseInstant } from '#kernel/values/instants.js';
import type { JsonSchema } from './parameters.js';

/** Formats of ours: how a text is checked and what is said of one that fails. */
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

// stops at the first fault: what is wrong is told by collectFaults, which is bounded
// and what judges schemas is left out: ours are judged in the document that they stand in
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
 * A function that says whether a value is as a schema says. Compiled at the first value: all of them at once
 * would be a fifth of a start, and most are not asked for soon. Throws then for a schema with a keyword that is none.
 */
export function compileSchema(schema: JsonSchema): (value: unknown) => boolean {
  let validate: ((value: unknown) => boolean) | null = null;
  return (value) => (validate ??= ajv.compile(schema))(value);
}
