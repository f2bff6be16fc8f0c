import { hasUnstorableText, UNSTORABLE_TEXT } from '#kernel/values/unstorable-text.js';
import { note, type Faults } from '#kernel/values/faults.js';
import { parseInstant, type Instant } from '#kernel/values/instants.js';
import type { PageRequest } from './paging.js';

/** The status of a fault in a query parameter: 400, or 422 where the specification requires it. */
export type InvalidStatus = 400 | 422;

/** A parsed query string: repeated names have arrays. */
export type RawQuery = { readonly [name: string]: string | readonly string[] | undefined };

export type JsonSchema = { readonly [keyword: string]: unknown };

/** A day or a moment (OP-08), in standard formats. */
export const DATE_OR_DATE_TIME = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
  ],
};

/** One query parameter (or a few that belong together) as data: how it is read and documented. */
export type QueryParameter<Value> = {
  readonly invalid: InvalidStatus;
  /** `name` is the key in the endpoint's `query`. If faults are added, the returned value is never used. */
  readonly read: (name: string, raw: RawQuery, faults: Faults) => Value;
  readonly document: (name: string) => readonly ParameterDocument[];
};

export type ParameterDocument = {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required?: boolean;
  readonly description?: string;
};

/** A path parameter; invalid syntax is answered with 400 or 404 (OP-01). */
export type PathParameter<Value> = {
  readonly invalid: 400 | 404;
  /** The fault of an invalid value, for 400. */
  readonly message: string;
  /** 'unknown' is well-formed but cannot exist: 404 on every endpoint. */
  readonly read: (text: string) => { readonly value: Value } | 'invalid' | 'unknown';
  readonly schema: JsonSchema;
};

export type QueryParameters = { readonly [name: string]: QueryParameter<unknown> };
export type PathParameters = { readonly [name: string]: PathParameter<unknown> };

/** The values of declared parameters: `ValuesOf<typeof query>`. */
export type ValuesOf<Declarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends
    QueryParameter<infer Value> | PathParameter<infer Value>
    ? Value
    : never;
};

const ID = /^[1-9][0-9]{0,15}$/;
const INTEGER = /^(0|-?[1-9][0-9]{0,15})$/;

/** An integer id in the path; a malformed one answers 400 or 404, one above 2^53 is unknown. */
export function idParam(invalid: 400 | 404): PathParameter<number> {
  return {
    invalid,
    message: 'must be an integer of at least 1',
    read: (text) => {
      if (!ID.test(text)) return 'invalid';
      const value = Number(text);
      return Number.isSafeInteger(value) ? { value } : 'unknown';
    },
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  };
}

/** One of a few words in the path: `kind: oneOfParam(['company', 'profile'], 404)`. */
export function oneOfParam<const Value extends string>(
  values: readonly Value[],
  invalid: 400 | 404,
): PathParameter<Value> {
  return {
    invalid,
    message: `must be one of ${values.join(', ')}`,
    read: (text) => {
      const value = values.find((candidate) => candidate === text);
      return value === undefined ? 'invalid' : { value };
    },
    schema: { type: 'string', enum: values },
  };
}

/** `page` and `page_size` (OP-04): a value above the maximum is an error, never clamped. */
export function offsetPage(options: {
  readonly size?: number;
  readonly maximum?: number;
  readonly invalid: InvalidStatus;
}): QueryParameter<PageRequest> {
  const { size = 25, maximum = 100, invalid } = options;
  return {
    invalid,
    read: (_name, raw, faults) => {
      const page = readInteger('page', raw, faults, 1, Number.MAX_SAFE_INTEGER) ?? 1;
      const pageSize = readInteger('page_size', raw, faults, 1, maximum) ?? size;
      // above 2^53 there is no row, and the product must stay an exact integer for the store
      return { page, pageSize, skip: Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER) };
    },
    document: () => [
      {
        name: 'page',
        schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
      },
      { name: 'page_size', schema: { type: 'integer', minimum: 1, maximum, default: size } },
    ],
  };
}

/** `limit` of a cursor-paginated query: 1..100, default 25. */
export const limitQuery = (): QueryParameter<number> =>
  integerQuery({ minimum: 1, maximum: 100, otherwise: 25, invalid: 400 });

/** An integer within bounds; default `otherwise`. */
export function integerQuery<const Otherwise extends number | null>(options: {
  readonly minimum: number;
  readonly maximum: number;
  readonly otherwise: Otherwise;
  readonly invalid: InvalidStatus;
}): QueryParameter<number | Otherwise> {
  const { minimum, maximum, otherwise, invalid } = options;
  return {
    invalid,
    read: (name, raw, faults) => readInteger(name, raw, faults, minimum, maximum) ?? otherwise,
    document: (name) => [
      {
        name,
        schema: { type: 'integer', minimum, maximum, ...(otherwise === null ? {} : { default: otherwise }) },
      },
    ],
  };
}

/** An optional id; null when absent. */
export function idQuery(invalid: InvalidStatus): QueryParameter<number | null> {
  return integerQuery({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, otherwise: null, invalid });
}

/** The same for a field of a form, which is also sent when it is empty: then it counts as absent. */
export function formField<Value>(parameter: QueryParameter<Value>): QueryParameter<Value> {
  return {
    ...parameter,
    read: (name, raw, faults) => {
      const isEmpty = Object.hasOwn(raw, name) && raw[name] === '';
      return parameter.read(name, isEmpty ? {} : raw, faults);
    },
  };
}

/** true, false, 1 or 0; absent is false. */
export function booleanQuery(invalid: InvalidStatus): QueryParameter<boolean> {
  return {
    invalid,
    read: (name, raw, faults) => {
      const text = readOnce(name, raw, faults);
      if (text === null) return false;
      if (text === 'true' || text === '1') return true;
      if (text !== 'false' && text !== '0') note(faults, name, 'must be true or false');
      return false;
    },
    document: (name) => [{ name, schema: { type: 'boolean', default: false } }],
  };
}

/** A date or a date-time (OP-08); null when absent. */
export function instantQuery(invalid: InvalidStatus): QueryParameter<Instant | null> {
  return {
    invalid,
    read: (name, raw, faults) => {
      const text = readOnce(name, raw, faults);
      if (text === null) return null;
      const instant = parseInstant(text);
      if (instant === null) note(faults, name, 'must be an ISO 8601 date or timestamp');
      return instant;
    },
    document: (name) => [
      {
        name,
        schema: DATE_OR_DATE_TIME,
        description: 'ISO 8601 date or timestamp; UTC without offset.',
      },
    ],
  };
}

/** Text of at most `maximum` characters; null when absent. `empty: true` allows the empty string. */
export function textQuery(options: {
  readonly maximum: number;
  readonly invalid: InvalidStatus;
  readonly empty?: boolean;
}): QueryParameter<string | null> {
  const { maximum, invalid, empty = false } = options;
  return {
    invalid,
    read: (name, raw, faults) => {
      const text = readOnce(name, raw, faults, empty);
      if (text !== null) checkText(name, text, maximum, faults);
      return text;
    },
    document: (name) => [
      { name, schema: { type: 'string', maxLength: maximum, ...(empty ? {} : { minLength: 1 }) } },
    ],
  };
}

/** An opaque cursor; null when absent. Its content is checked when it is decoded. */
export function cursorQuery(): QueryParameter<string | null> {
  return textQuery({ maximum: 4096, invalid: 400 });
}

/** One of a few words; default `otherwise`. */
export function oneOfQuery<const Value extends string, const Otherwise extends Value | null = null>(options: {
  readonly values: readonly Value[];
  readonly otherwise: Otherwise;
  readonly invalid: InvalidStatus;
}): QueryParameter<Value | Otherwise> {
  const { values, otherwise, invalid } = options;
  return {
    invalid,
    read: (name, raw, faults) => {
      const text = readOnce(
        name,
        raw,
        faults,
        values.some((value) => value === ''),
      );
      if (text === null) return otherwise;
      const value = values.find((candidate) => candidate === text);
      if (value === undefined) note(faults, name, `must be one of ${values.join(', ')}`);
      return value ?? otherwise;
    },
    document: (name) => [
      {
        name,
        schema: { type: 'string', enum: values, ...(otherwise === null ? {} : { default: otherwise }) },
      },
    ],
  };
}

/** Some of a few words, as a repeated parameter; null when absent. */
export const someOfQuery = <const Value extends string>(
  values: readonly Value[],
  invalid: InvalidStatus,
): QueryParameter<readonly Value[] | null> => wordsQuery(values, invalid, (text) => [text], 'Repeatable.');

/** Some of a few words, as a comma-separated or repeated parameter; null when absent. */
export const anyOfQuery = <const Value extends string>(
  values: readonly Value[],
  invalid: InvalidStatus,
): QueryParameter<readonly Value[] | null> =>
  wordsQuery(
    values,
    invalid,
    (text) => text.split(',').map((part) => part.trim()),
    'Separated by commas, or repeated.',
  );

/** `wordsIn` splits each value of the parameter. */
function wordsQuery<Value extends string>(
  values: readonly Value[],
  invalid: InvalidStatus,
  wordsIn: (text: string) => readonly string[],
  description: string,
): QueryParameter<readonly Value[] | null> {
  return {
    invalid,
    read: (name, raw, faults) => {
      const words = readAll(name, raw)?.flatMap(wordsIn);
      if (words === undefined) return null;
      if (words.some((word) => !values.some((value) => value === word)))
        note(faults, name, `must be one of ${values.join(', ')}`);
      return values.filter((value) => words.includes(value));
    },
    document: (name) => [
      { name, schema: { type: 'array', items: { type: 'string', enum: values } }, description },
    ],
  };
}

/** The most entries of a list of texts, and the most characters of each. */
export type TextListLimits = { readonly count: number; readonly maximum: number };

/** Texts, as a comma-separated or repeated parameter, at most `count` of them; null when absent. */
export function textListQuery(
  options: TextListLimits & { readonly invalid: InvalidStatus },
): QueryParameter<readonly string[] | null> {
  const { count, maximum, invalid } = options;
  return {
    invalid,
    read: (name, raw, faults) => {
      const texts = readAll(name, raw)?.flatMap((text) => text.split(','));
      return texts === undefined ? null : readTexts(name, texts, options, faults);
    },
    document: (name) => [
      {
        name,
        schema: {
          type: 'array',
          items: { type: 'string', pattern: '\\S', maxLength: maximum },
          maxItems: count,
        },
        description: 'Separated by commas, or repeated.',
      },
    ],
  };
}

/** The texts of a list, without white space around them. */
export function readTexts(
  name: string,
  sent: readonly string[],
  { count, maximum }: TextListLimits,
  faults: Faults,
): readonly string[] {
  const texts = sent.map((text) => text.trim());
  if (texts.length > count) note(faults, name, `must contain at most ${count} entries`);
  else if (texts.includes('')) note(faults, name, 'must not be empty');
  else for (const text of texts) checkText(name, text, maximum, faults);
  return texts;
}

function readOnce(name: string, raw: RawQuery, faults: Faults, empty = false): string | null {
  if (!Object.hasOwn(raw, name)) return null;
  const value = raw[name];
  if (typeof value !== 'string') note(faults, name, 'must be given once');
  else if (value !== '' || empty) return value;
  else note(faults, name, 'must not be empty');
  return null;
}

function readAll(name: string, raw: RawQuery): readonly string[] | null {
  const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
  if (value === undefined) return null;
  return typeof value === 'string' ? [value] : value;
}

function readInteger(
  name: string,
  raw: RawQuery,
  faults: Faults,
  minimum: number,
  maximum: number,
): number | null {
  const text = readOnce(name, raw, faults);
  if (text === null) return null;
  const value = INTEGER.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) note(faults, name, 'must be an integer');
  else if (value < minimum) note(faults, name, `must be at least ${minimum}`);
  else if (value > maximum) note(faults, name, `must be at most ${maximum}`);
  return value;
}

function checkText(name: string, text: string, maximum: number, faults: Faults): void {
  if (hasUnstorableText(text)) note(faults, name, UNSTORABLE_TEXT);
  else if ([...text].length > maximum) note(faults, name, `must contain at most ${maximum} characters`);
}
