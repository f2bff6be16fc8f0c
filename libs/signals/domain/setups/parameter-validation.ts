import { isBlank } from '#kernel/values/blank-text.js';
import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import { compileJsonSchema, type SchemaCheck, type SchemaFault } from '#kernel/values/json-schema.js';

/** Messages by parameter, `links.0.url` for deeper ones; empty when the parameters are valid. */
export type ParameterErrors = ReadonlyMap<string, readonly string[]>;

/** Compiled schemas by their text: a template version compiles once, and its copies share the check. */
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
  const errors = new Map<string, readonly string[]>();
  for (const fault of checkOf(fields)(parameters)) {
    const [key, message] = entryOf(fault);
    const messages = errors.get(key) ?? [];
    if (!messages.includes(message)) errors.set(key, [...messages, message]);
  }
  for (const key of unseenTexts(parameters, [])) if (!errors.has(key)) errors.set(key, ['must not be empty']);
  return errors;
}

/** Places of the texts that hold zero-width characters and marks of direction alone: a schema takes them for text. */
function unseenTexts(value: JsonValue | undefined, path: readonly string[]): readonly string[] {
  if (typeof value === 'string') return value.trim() !== '' && isBlank(value) ? [path.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => unseenTexts(member, [...path, name]));
}

function entryOf(fault: SchemaFault): readonly [key: string, message: string] {
  const atRoot = fault.path.length === 0;
  const place = atRoot ? 'parameters' : fault.path.join('.');
  switch (fault.kind) {
    case 'missing':
      // Deeper down the object that lacks the property is the one to name.
      return atRoot ? [fault.property, 'is required'] : [place, `must have the property ${fault.property}`];
    case 'undeclared':
      return [[...fault.path, fault.property].join('.'), 'is not a parameter of this signal'];
    case 'invalid':
      return [place, fault.message];
  }
}
