import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';

/** A place between observations, by time and ref, as a batch has stored it; null for the start. */
export function positionOf(
  resume: JsonValue,
  time: string,
): { readonly at: string; readonly ref: string } | null {
  const position: JsonObject = isJsonObject(resume) ? resume : {};
  const [at, ref] = [position[time], position['ref']];
  return typeof at === 'string' && typeof ref === 'string' ? { at, ref } : null;
}
