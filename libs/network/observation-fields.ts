import type { JsonObject, JsonValue } from '#kernel/values/json.js';

/** Why an observation is refused; the message names the field. */
export class MalformedObservation extends Error {
  constructor(field: string, rule: string) {
    super(`${field} ${rule}`);
    this.name = 'MalformedObservation';
  }
}

/** Texts above this many bytes of UTF-8 are cut. */
const MAX_TEXT_BYTES = 64 * 1024;

const MAX_REF_LENGTH = 500;
const MAX_DEPTH = 20;
const HTTP = /^https?:\/\//i;
const UNSTORABLE = /[\u0000\p{Cs}]/u;
const PARTIAL_DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/;
const TIMESTAMP =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[Tt ](?<time>\d{2}:\d{2}:\d{2})(?:\.(?<fraction>\d+))?(?<offset>[Zz]|[+-]\d{2}:\d{2})?)?$/;

/**
 * The members of one JSON object of an observation, read by what they must be. Absent and null members are
 * null; a member of the wrong kind throws `MalformedObservation` naming its path.
 */
export type Fields = {
  readonly text: (name: string) => string | null;
  /** An http or https address; what is none is noted and null, for it would become a link on somebody's page. */
  readonly address: (name: string) => string | null;
  /** Names of other things: never cut, not empty. */
  readonly ref: (name: string) => string | null;
  readonly refs: (name: string) => readonly string[];
  readonly texts: (name: string) => readonly string[];
  /** Whole number from `minimum` on. */
  readonly count: (name: string, minimum?: number) => number | null;
  readonly number: (name: string) => number | null;
  readonly flag: (name: string) => boolean | null;
  /** A year, a month or a day, as text. */
  readonly partialDate: (name: string) => string | null;
  /** UTC with milliseconds. A time without offset is UTC, a plain date its first moment (OP-08). */
  readonly timestamp: (name: string) => string | null;
  readonly object: (name: string) => Fields | null;
  readonly objects: (name: string) => readonly Fields[] | null;
  readonly json: (name: string) => JsonObject | null;
  readonly fail: (name: string, rule: string) => never;
};

/** Reads `value` as an object; `note` hears what was changed on the way in, by its path. */
export function fieldsOf(value: unknown, path: string, note: (message: string) => void): Fields {
  if (!isObject(value))
    throw new MalformedObservation(path === '' ? 'the line' : path, 'must be a JSON object');
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const get = (name: string): unknown => (Object.hasOwn(value, name) ? (value[name] ?? null) : null);
  const fail = (name: string, rule: string): never => {
    throw new MalformedObservation(at(name), rule);
  };
  const list = (name: string): readonly unknown[] | null => {
    const member = get(name);
    if (member === null) return null;
    return Array.isArray(member) ? member : fail(name, 'must be an array');
  };
  const text = (name: string): string | null => {
    const member = get(name);
    if (member === null) return null;
    const whole = storable(member, at(name));
    const cut = cutText(whole);
    if (cut !== whole) note(`${at(name)} was cut to ${MAX_TEXT_BYTES} bytes`);
    return cut;
  };
  const address = (name: string): string | null => {
    const member = get(name);
    if (member === null || member === '') return null;
    const whole = storable(member, at(name));
    if (Buffer.byteLength(whole) <= MAX_TEXT_BYTES && HTTP.test(whole) && URL.canParse(whole)) return whole;
    note(`${at(name)} is no http or https address and was left out`);
    return null;
  };
  const ref = (name: string): string | null => {
    const member = get(name);
    return member === null ? null : refOf(member, at(name));
  };
  const number = (name: string): number | null => {
    const member = get(name);
    if (member === null || (typeof member === 'number' && Number.isFinite(member))) return member;
    return fail(name, 'must be a number');
  };

  return {
    text,
    address,
    ref,
    refs: (name) => (list(name) ?? []).map((member, index) => refOf(member, `${at(name)}.${index}`)),
    texts: (name) => (list(name) ?? []).map((member, index) => storable(member, `${at(name)}.${index}`)),
    number,
    count: (name, minimum = 0) => {
      const member = number(name);
      if (member === null || (Number.isSafeInteger(member) && member >= minimum)) return member;
      return fail(name, `must be a whole number of at least ${minimum}`);
    },
    flag: (name) => {
      const member = get(name);
      return member === null || typeof member === 'boolean' ? member : fail(name, 'must be true or false');
    },
    partialDate: (name) => {
      const member = text(name);
      if (member === null || PARTIAL_DATE.test(member)) return member;
      return fail(name, 'must be a date such as 2024, 2024-03 or 2024-03-01');
    },
    timestamp: (name) => {
      const member = get(name);
      if (member === null) return null;
      const instant = typeof member === 'string' ? instantOf(member) : null;
      return instant ?? fail(name, 'must be a date-time such as 2026-01-03T09:00:00Z');
    },
    object: (name) => {
      const member = get(name);
      return member === null ? null : fieldsOf(member, at(name), note);
    },
    objects: (name) =>
      list(name)?.map((member, index) => fieldsOf(member, `${at(name)}.${index}`, note)) ?? null,
    json: (name) => {
      const member = get(name);
      if (member === null) return null;
      if (!isObject(member)) return fail(name, 'must be a JSON object');
      return jsonObjectOf(member, at(name), 1);
    },
    fail,
  };
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function storable(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new MalformedObservation(path, 'must be a string');
  if (UNSTORABLE.test(value)) {
    throw new MalformedObservation(path, 'must not contain U+0000 or half of a surrogate pair');
  }
  return value;
}

function refOf(value: unknown, path: string): string {
  const ref = storable(value, path);
  if (ref !== '' && ref.length <= MAX_REF_LENGTH) return ref;
  throw new MalformedObservation(path, `must have 1 to ${MAX_REF_LENGTH} characters`);
}

/** The longest beginning of whole characters within the limit. */
function cutText(text: string): string {
  if (text.length * 3 <= MAX_TEXT_BYTES) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_TEXT_BYTES) return text;
  let end = MAX_TEXT_BYTES;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

function instantOf(text: string): string | null {
  const { day, time = '00:00:00', fraction = '', offset = 'Z' } = TIMESTAMP.exec(text)?.groups ?? {};
  if (day === undefined) return null;
  const midnight = new Date(`${day}T00:00:00Z`);
  // Date.parse moves the 30th of February into March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const instant = new Date(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${offset.toUpperCase()}`);
  const written = Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
  return /^\d{4}-/.test(written) ? written : null;
}

function jsonObjectOf(value: { readonly [name: string]: unknown }, path: string, depth: number): JsonObject {
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    storable(name, path);
    return [name, jsonValueOf(member, `${path}.${name}`, depth + 1)];
  });
  return Object.fromEntries(members);
}

function jsonValueOf(value: unknown, path: string, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new MalformedObservation(path, `is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    return value.map((member, index) => jsonValueOf(member, `${path}.${index}`, depth + 1));
  }
  if (isObject(value)) return jsonObjectOf(value, path, depth);
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  return storable(value, path);
}
