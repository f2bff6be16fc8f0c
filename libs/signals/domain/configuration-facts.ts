import { canonicalJson, changedMembers, type JsonObject } from '#kernel/values/json.js';

/** Parameters that are added or overwritten, and removed. */
export type ParameterChange = { readonly set: JsonObject; readonly removed: string[] };

/**
 * Merges the sent parameters: null removes a key, anything else overwrites the whole value; values that stay the same
 * are left out.
 */
export function parameterChange(stored: JsonObject, sent: JsonObject): ParameterChange {
  const isStored = (key: string): boolean => Object.hasOwn(stored, key);
  const members = Object.entries(sent);
  return {
    set: Object.fromEntries(
      members.filter(([key, value]) => {
        return value !== null && !(isStored(key) && canonicalJson(stored[key]) === canonicalJson(value));
      }),
    ),
    removed: members.filter(([key, value]) => value === null && isStored(key)).map(([key]) => key),
  };
}

/** The changes that an event of an agent or setup records: values that stay the same are left out. */
export const configurationChanges = (
  known: { readonly name: string; readonly enabled: boolean },
  patch: { readonly name?: string | undefined; readonly enabled?: boolean | undefined },
  { set, removed }: ParameterChange,
) => ({
  ...(patch.name !== undefined && patch.name !== known.name && { name: patch.name }),
  ...(patch.enabled !== undefined && patch.enabled !== known.enabled && { enabled: patch.enabled }),
  ...(Object.keys(set).length > 0 && { parameters: set }),
  ...(removed.length > 0 && { removedParameters: removed }),
});

/** The parameters after the changes in an event. */
export const parametersAfter = (
  stored: JsonObject,
  {
    parameters = {},
    removedParameters = [],
  }: { readonly parameters?: JsonObject; readonly removedParameters?: readonly string[] },
): JsonObject => changedMembers(stored, parameters, removedParameters);
