import { isJsonObject, withoutNulls, type JsonValue } from '#kernel/values/json.js';

/**
 * The value of a line of a file; undefined for a blank line. A member of an object that is null counts as absent. Throws
 * for bytes that are no JSON in UTF-8.
 */
export function jsonLine(bytes: Uint8Array): JsonValue | undefined {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (text.trim() === '') return undefined;
  const value: JsonValue = JSON.parse(text);
  return isJsonObject(value) ? withoutNulls(value) : value;
}
