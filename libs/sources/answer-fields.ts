import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { instantOf } from '#network/observed-values.js';

/** The answer differs from the documented form of its kind. A changed schema must not be read as an empty result. */
export class MalformedAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedAnswer';
  }
}

/** The JSON of an answer. Throws `MalformedAnswer`. */
export function jsonIn(body: string): JsonValue {
  try {
    return JSON.parse(body);
  } catch {
    throw new MalformedAnswer(/^\s*</.test(body) ? 'answered HTML or XML and no JSON' : 'answered no JSON');
  }
}

/** The objects of a required list. Throws `MalformedAnswer`. */
export function objectsIn(list: JsonValue | undefined, name: string): readonly JsonObject[] {
  if (!Array.isArray(list)) throw new MalformedAnswer(`has no list of ${name}`);
  return list.map((item: JsonValue, index) => {
    if (!isJsonObject(item)) throw new MalformedAnswer(`${name}.${index} is no object`);
    return item;
  });
}

/** The value at a path of names; undefined if a value on the path is no object. */
export function memberAt(value: JsonValue | undefined, ...names: readonly string[]): JsonValue | undefined {
  let member = value;
  for (const name of names) {
    member = isJsonObject(member) && Object.hasOwn(member, name) ? member[name] : undefined;
  }
  return member;
}

/** A text that is not blank; null for another type. */
export function textAt(value: JsonValue | undefined, ...names: readonly string[]): string | null {
  const member = memberAt(value, ...names);
  return typeof member === 'string' && member.trim() !== '' ? member.trim() : null;
}

export function numberAt(value: JsonValue | undefined, ...names: readonly string[]): number | null {
  const member = memberAt(value, ...names);
  return typeof member === 'number' && Number.isFinite(member) ? member : null;
}

/** The objects of an optional list; other items are left out. */
export function listAt(value: JsonValue | undefined, ...names: readonly string[]): readonly JsonObject[] {
  const member = memberAt(value, ...names);
  return Array.isArray(member) ? member.filter((item: JsonValue) => isJsonObject(item)) : [];
}

/** A required id, as text. Throws `MalformedAnswer`. */
export function itemId({ id }: JsonObject, what: string): string {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
  if (typeof id === 'string' && id !== '') return id;
  throw new MalformedAnswer(`a ${what} has no id`);
}

/** A required http or https address of an item. Throws `MalformedAnswer`. */
export function addressAt(item: JsonObject, name: string, what: string): string {
  const address = textAt(item, name);
  if (address !== null && /^https?:\/\//i.test(address) && URL.canParse(address)) return address;
  throw new MalformedAnswer(`a ${what} has no address in ${name}`);
}

const SPELT_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?) ?(?:UTC|GMT|Z)?$/i;
const COMPACT_OFFSET = /^(.*[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?([+-]\d{2})(\d{2})$/;
/** The date formats of RFC 822, 1123 and 850, used in mail and feeds: date, with its day, time and zone. */
const OF_MAIL =
  /^((?:[a-z]{3,9}(?:, *| +))?(\d{1,2})[ -][a-z]{3,9}\.?[ -]\d{2,4}),? +(\d{1,2}:\d{2}(?::\d{2})?(?: *[ap]m)?)(?: *([a-z]{1,5}|[+-]\d{2}:?\d{2}))?(?: *\([^()]{0,40}\))?$/i;
/** The zones that `Date.parse` knows; a date with none of them is read in the zone of the machine. */
const ZONE_OF_MAIL = /^(?:utc?|gmt|z|[ecmp][sd]t|[+-].*)$/i;
const MINUTES_ONLY = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(Z|[+-]\d{2}:?\d{2})?$/i;

/** UTC with milliseconds, from any format that sources use; null for anything else. */
export function momentOf(written: string | null): string | null {
  if (written === null) return null;
  const text = written.trim();
  const [, day, minutes, zone = 'Z'] = MINUTES_ONLY.exec(text) ?? [];
  const whole = day === undefined ? text : `${day}T${minutes}:00${zone}`;
  const [, moment, hours, rest] = COMPACT_OFFSET.exec(whole) ?? [];
  const offset = moment === undefined ? whole : `${moment}${hours}:${rest}`;
  const [, date, time] = SPELT_ZONE.exec(offset) ?? [];
  const instant = instantOf(date === undefined ? offset : `${date}T${time}Z`);
  const ofMail = instant === null ? OF_MAIL.exec(text) : null;
  if (ofMail === null) return instant;
  const [, dayOfYear = '', dayOfMonth, hoursAndMinutes = '', named = ''] = ofMail;
  // `Date.parse` takes 31 February for 3 March.
  if (new Date(`${dayOfYear} GMT`).getUTCDate() !== Number(dayOfMonth)) return null;
  // RFC 5322, 4.3: a zone whose meaning is not known is UTC.
  const parsed = Date.parse(`${dayOfYear} ${hoursAndMinutes} ${ZONE_OF_MAIL.test(named) ? named : 'GMT'}`);
  return Number.isNaN(parsed) ? null : instantOf(new Date(parsed).toISOString());
}
