import type { ErrorObject } from 'ajv/dist/2020.js';
import { SOMETHING_VISIBLE } from './blank-text.js';
import { counted } from './counted.js';
import { OPERATOR_NAME } from './operators.js';
import { MONTH, namesOfPattern } from './schema.js';

const TYPES: { readonly [type: string]: string } = {
  string: 'text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const FORMATS: { readonly [format: string]: string } = {
  date: 'a date like 2026-05-14',
  'date-time': 'a time like 2026-05-14T00:00:00Z',
  uri: 'an address like https://example.com/page',
  email: 'an e-mail address',
  uuid: 'a UUID',
};

/** Patterns whose meaning has words. */
const PATTERNS: { readonly [pattern: string]: string } = {
  '\\S': 'must not be empty',
  [SOMETHING_VISIBLE]: 'must not be empty',
  [MONTH]: 'must be a month like 2026-05',
  [OPERATOR_NAME]:
    'must be small letters and digits, with dots and dashes between them, at most 40 characters',
};

function patternInWords(pattern: string): string {
  const names = namesOfPattern(pattern);
  if (names !== null) return `must be one or more of ${names.join(', ')}, separated by commas`;
  return PATTERNS[pattern] ?? `must have the form of the regular expression ${pattern}`;
}

/** The fault of a value, for a reader who does not know the schema: `must contain at least 2 entries`. */
export function faultInWords({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  const given: { readonly [name: string]: unknown } = params;
  const limit = Number(given['limit']);
  switch (keyword) {
    case 'type':
      return `must be ${[given['type']]
        .flat()
        .map((type) => TYPES[String(type)] ?? String(type))
        .join(' or ')}`;
    case 'enum':
      return `must be one of ${listed(given['allowedValues'])}`;
    case 'const':
      return `must be ${JSON.stringify(given['allowedValue'])}`;
    case 'pattern':
      return patternInWords(String(given['pattern']));
    case 'format':
      return `must be ${FORMATS[String(given['format'])] ?? `of the format ${String(given['format'])}`}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must contain at least ${limit} characters`;
    case 'maxLength':
      return `must contain at most ${counted(limit, 'character')}`;
    case 'minItems':
      return `must contain at least ${counted(limit, 'entry', 'entries')}`;
    case 'maxItems':
      return `must contain at most ${counted(limit, 'entry', 'entries')}`;
    case 'minProperties':
      return `must have at least ${counted(limit, 'property', 'properties')}`;
    case 'maxProperties':
      return `must have at most ${counted(limit, 'property', 'properties')}`;
    case 'uniqueItems':
      return 'must not contain an entry twice';
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be above ${limit}`;
    case 'exclusiveMaximum':
      return `must be below ${limit}`;
    case 'multipleOf':
      return `must be a multiple of ${String(given['multipleOf'])}`;
    case 'anyOf':
    case 'oneOf':
      return 'matches none of the allowed forms';
    default:
      return message;
  }
}

const listed = (values: unknown): string => (Array.isArray(values) ? values.join(', ') : String(values));
