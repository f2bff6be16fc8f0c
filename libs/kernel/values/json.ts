/** A value that JSON can carry. Event payloads and documents are made of nothing else. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** Whether a JSON value is an object, and not an array or null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an object, and not an array or null. */
export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object without its members that are null. */
export const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** Quotes, backslashes, control characters, surrogates: a text without them needs no escape in JSON. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * JSON with object keys in code point order and without white space, so equal values have equal bytes (similar to RFC
 * 8785). Keys with the value undefined are left out, as in JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'string' && !ESCAPED.test(value)) return `"${value}"`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const object: { readonly [key: string]: unknown } = Object(value);
  let members = '';
  for (const key of inOrder(Object.keys(object))) {
    const member = object[key];
    if (member === undefined) continue;
    members += (members === '' ? '' : ',') + nameOf(key) + canonicalJson(member);
  }
  return `{${members}}`;
}

/** The number of members up to which an insertion sort is faster than `sort()`. */
const FEW_KEYS = 20;

/**
 * The keys in code point order, in place. Every ledger entry is sealed over some twenty. Measured alternately: 7 keys take 0.10 us,
 * with `sort()` 0.21 us; 20 keys 0.48 and 0.66 us.
 */
function inOrder(keys: string[]): readonly string[] {
  if (keys.length > FEW_KEYS) return keys.sort();
  for (let next = 1; next < keys.length; next += 1) {
    const key = keys[next] ?? '';
    let at = next;
    for (; at > 0 && (keys[at - 1] ?? '') > key; at -= 1) keys[at] = keys[at - 1] ?? '';
    keys[at] = key;
  }
  return keys;
}

/**
 * Keys that are cached in their written form: those of our own objects, and a limited number of others. Measured
 * alternately: 7 keys take 0.08 us, written each time 0.50 us.
 */
const MOST_NAMES = 1_000;
const names = new Map<string, string>();

function nameOf(key: string): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = `${JSON.stringify(key)}:`;
  if (names.size < MOST_NAMES) names.set(key, name);
  return name;
}

/**
 * The object with some members set and others removed. Members keep their order; new ones are added at the end. A member
 * named `__proto__` stays a member (Object.fromEntries defines own properties).
 */
export function changedMembers(object: JsonObject, set: JsonObject, removed: readonly string[]): JsonObject {
  const gone = new Set(removed);
  const kept = Object.entries(object).map(([key, value]): [string, JsonValue | undefined] => [
    key,
    Object.hasOwn(set, key) ? set[key] : value,
  ]);
  const added = Object.entries(set).filter(([key]) => !Object.hasOwn(object, key));
  return Object.fromEntries([...kept, ...added].filter(([key]) => !gone.has(key)));
}
