import { isBlank } from '#kernel/values/blank-text.js';
import { MOST_FAULTS } from '#kernel/values/faults.js';
import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import { compileJsonSchema, type SchemaCheck } from '#kernel/values/json-schema.js';
import { errorsOf, type SchemaFault } from '#kernel/values/schema-faults.js';
import { hasUnstorableText, UNSTORABLE_TEXT } from '#kernel/values/unstorable-text.js';

/** Messages by parameter, `links.0.url` for nested ones; empty when the parameters are valid. */
export type ParameterErrors = ReadonlyMap<string, readonly string[]>;

/** Compiled schemas by their text: a template version is compiled once, and its copies share the check. */
const checks = new Map<string, SchemaCheck>();
const MAX_CHECKS = 500;

function checkOf(fields: JsonObject): SchemaCheck {
  const text = JSON.stringify(fields);
  const known = checks.get(text);
  if (known !== undefined) return known;
  const check = compileJsonSchema(fields);
  const [oldest] = checks.keys();
  if (checks.size >= MAX_CHECKS && oldest !== undefined) checks.delete(oldest);
  checks.set(text, check);
  return check;
}

/** Checks the parameters of a setup against the `setup.fields` of its template (OP-16). */
export function parameterErrors(fields: JsonObject, parameters: JsonObject): ParameterErrors {
  const errors = errorsOf(checkOf(fields)(parameters), entryOf);
  for (const [key, message] of wrongTexts(parameters, [])) {
    if (errors.size >= MOST_FAULTS) break;
    if (!errors.has(key)) errors.set(key, [message]);
  }
  return errors;
}

/**
 * Faults of texts that a schema accepts: texts that contain only zero-width characters and direction marks, and texts
 * that no store can keep, also as the name of a member.
 */
function wrongTexts(value: JsonValue | undefined, path: readonly string[]): readonly Fault[] {
  if (typeof value === 'string') {
    if (hasUnstorableText(value)) return [faultAt(path, UNSTORABLE_TEXT)];
    return value.trim() !== '' && isBlank(value) ? [faultAt(path, 'must not be empty')] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    hasUnstorableText(name)
      ? [faultAt([...path, name], UNSTORABLE_TEXT)]
      : wrongTexts(member, [...path, name]),
  );
}

type Fault = readonly [key: string, message: string];

function entryOf(fault: SchemaFault): Fault {
  const { path } = fault;
  switch (fault.kind) {
    case 'missing':
      if (path.length === 0) return [fault.property, 'is required'];
      // In nested values the fault names the object that lacks the property.
      return faultAt(path, `must have the property ${fault.property}`);
    case 'undeclared':
      return faultAt([...path, fault.property], 'is not a parameter of this signal');
    case 'invalid':
      return faultAt(path, fault.message);
  }
}

/** A fault has the name of its property as key; nested places are part of the message: `entry 2 must be text`. */
function faultAt([property = 'parameters', ...below]: readonly string[], message: string): Fault {
  const place = below.map((part) => (/^\d+$/.test(part) ? `entry ${Number(part) + 1}` : part));
  return [property, [...place, message].join(' ')];
}
