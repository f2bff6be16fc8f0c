/** A value that JSON can carry. Event payloads and documents are made of nothing else. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** Whether a JSON value is an object, and not an array or null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON with object keys in code point order and no white space: the same value always gives the same
 * bytes (in the spirit of RFC 8785). Keys whose value is undefined are left out, as JSON.stringify does.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/**
 * The object after some members were set and others removed; a member keeps its place, a new one goes to the
 * end. A member named `__proto__` stays a member (Object.fromEntries defines own properties).
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
