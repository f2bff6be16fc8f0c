import type { JsonObject, JsonValue } from '#kernel/json.js';

/** What a patch does to stored parameters: keys it sets to another value, keys it takes away. */
export type ParameterChange = { readonly set: JsonObject; readonly removed: readonly string[] };

// Object.fromEntries defines own properties: a parameter named __proto__ stays a parameter.

/** The parameters after a change; a key keeps its place, a new one goes to the end. */
export function applyParameterChange(parameters: JsonObject, { set, removed }: ParameterChange): JsonObject {
  const gone = new Set(removed);
  return Object.fromEntries(
    [
      ...Object.entries(parameters).map(([key, value]) => [key, ownValue(set, key) ?? value] as const),
      ...Object.entries(set).filter(([key]) => !Object.hasOwn(parameters, key)),
    ].filter(([key]) => !gone.has(key)),
  );
}

/** Reads a patch: null removes a key, anything else overwrites it whole; what is already so is left out. */
export function parameterChange(
  parameters: JsonObject,
  patch: JsonObject,
  isSame: (left: JsonValue, right: JsonValue) => boolean,
): ParameterChange {
  const sent = Object.entries(patch);
  return {
    removed: sent
      .filter(([key, value]) => value === null && Object.hasOwn(parameters, key))
      .map(([key]) => key),
    set: Object.fromEntries(
      sent.filter(([key, value]) => {
        if (value === null || value === undefined) return false;
        const stored = ownValue(parameters, key);
        return stored === undefined || !isSame(stored, value);
      }),
    ),
  };
}

function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
