import { isBlank } from '#kernel/values/blank-text.js';
import { ofEntry } from '#kernel/values/faults.js';
import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import type { TProperties } from '#kernel/values/schema.js';
import { fold } from '#kernel/values/text-folding.js';
import { AGENT_TYPES, agentTypeOf, MODES, TARGET_GROUPS } from './agent-types.js';

const KNOWN_PARAMETERS = [...new Set(AGENT_TYPES.flatMap((type) => parametersOf(type)))];

/** Messages by field. */
export type ParameterFaults = Map<string, readonly string[]>;

/** The declared parameters of a type; none for an unknown type. */
function declarationOf(type: string): TProperties {
  return agentTypeOf(type)?.parameters.properties ?? {};
}

/** Keys of the parameters of a type. */
function parametersOf(type: string): readonly string[] {
  return Object.keys(declarationOf(type));
}

/** The sent parameters that the type has, in the order of its declaration; of an object the members that it declares. */
export const declaredParameters = (type: string, sent: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(declarationOf(type)).flatMap(([key, schema]) => {
      const value = sent[key];
      return Object.hasOwn(sent, key) && value !== undefined ? [[key, declaredPart(schema, value)]] : [];
    }),
  );

function declaredPart(
  { properties: members }: { readonly [keyword: string]: unknown },
  value: JsonValue,
): JsonValue {
  if (typeof members !== 'object' || members === null || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(members, name)));
}

/** Keys that another type has and this one does not; a key of no type is no fault (OP-33). */
export const unsupportedParameters = (type: string, parameters: JsonObject): readonly string[] =>
  KNOWN_PARAMETERS.filter((key) => Object.hasOwn(parameters, key) && !parametersOf(type).includes(key));

/**
 * Adds a fault for keywords that can never match: a keyword that folds to nothing, or shows nothing, is blank
 * (OP-69).
 */
export function noteBlankKeywords(keywords: unknown, faults: ParameterFaults): void {
  if (!Array.isArray(keywords)) return;
  const field = 'parameters.tracking_keywords';
  const blank = [...keywords.entries()].flatMap(([place, keyword]) =>
    typeof keyword === 'string' && (fold(keyword) === '' || isBlank(keyword))
      ? [ofEntry(place, 'must not be empty')]
      : [],
  );
  // more messages do not help a reader
  const messages = [...(faults.get(field) ?? []), ...blank].slice(0, 100);
  if (messages.length > 0) faults.set(field, messages);
}

/** Adds a fault for unknown modes and target groups, including null. */
export function noteCompetitorChoices(parameters: JsonObject, faults: ParameterFaults): void {
  const { mode, target_group } = parameters;
  if (mode !== undefined && !MODES.some((known) => known === mode))
    faults.set('parameters.mode', [`must be one of ${MODES.join(', ')}`]);
  if (target_group !== undefined && !TARGET_GROUPS.some((known) => known === target_group))
    faults.set('parameters.target_group', [`must be one of ${TARGET_GROUPS.join(', ')}`]);
}
