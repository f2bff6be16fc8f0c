/** The schema library: one declaration defines a TypeScript type and a JSON Schema (2020-12). */
export { Type, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';
import { Type, type TSchema } from '@sinclair/typebox';
import type { JsonObject, JsonValue } from './json.js';

/** `T | null`. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** A union of string literals: `OneOf('held', 'captured')`. */
export const OneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });

/** RFC 3339 timestamp in UTC with milliseconds, as emitted everywhere. */
export const Timestamp = Type.String({ format: 'date-time' });

/** A calendar day in UTC, `2026-07-01`. */
export const Day = Type.String({ format: 'date' });

export const MONTH = '^\\d{4}-(0[1-9]|1[0-2])$';

/** A calendar month in UTC, `2026-07`. */
export const Month = Type.String({ pattern: MONTH });

/** Some of these names, separated by commas: `NamesOf('day', 'week')` takes `week` and `day,week`. */
export const NamesOf = (...names: readonly [string, ...string[]]) => {
  const one = `(${names.join('|')})`;
  return Type.String({ pattern: `^${one}(,${one}){0,${names.length - 1}}$` });
};

/** The names of a pattern of `NamesOf`; null for another pattern. */
export function namesOfPattern(pattern: string): readonly [string, ...string[]] | null {
  const [, names] = /^\^\(([\w|]+)\)\(,/.exec(pattern) ?? [];
  const [first, ...others] = names?.split('|') ?? [];
  if (first === undefined) return null;
  return NamesOf(first, ...others).pattern === pattern ? [first, ...others] : null;
}

/** Integer id. */
export const Id = Type.Integer({ minimum: 1 });

/** Stored credit amount: integer of 10^-6 credit as decimal text. */
export const StoredCredits = Type.String({ pattern: '^-?\\d{1,16}$' });

/** A JSON object of any shape, kept as it came. */
export const JsonMembers = Type.Unsafe<JsonObject>({ type: 'object' });

/** Any JSON value, kept as it came. */
export const AnyJson = Type.Unsafe<JsonValue>({});
