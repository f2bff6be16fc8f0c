import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, type JsonObject } from './json.js';
import { linearPattern, type LinearPattern } from './linear-pattern.js';
import { faultsOf, INHERITED_MARK, type SchemaFault } from './schema-faults.js';

/**
 * The faults of a value, in the order of the schema; none when the value is valid. If it has thousands of members, the
 * first fault and then those of the value with the first entries of its lists.
 */
export type SchemaCheck = (value: unknown) => readonly SchemaFault[];

/** Patterns come from catalogues and are applied to input of callers. */
const inLinearTime = patternEngine((pattern) => {
  try {
    return linearPattern(pattern);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`the pattern ${pattern} cannot be run in linear time: ${why}`, { cause: error });
  }
});
/** A catalogue from before the check of patterns continues to work. */
const asEverTaken = patternEngine((pattern) => {
  try {
    return linearPattern(pattern);
  } catch {
    return new RegExp(pattern, 'u');
  }
});

// `addUsedSchema` off: two versions of a document with the same $id must both compile.
const options = {
  strict: false,
  addUsedSchema: false,
  logger: false,
  code: { regExp: asEverTaken },
} as const;
// Schemas in use were validated when they were stored: compiling the validation takes longer than a start may.
const firstFault = new Ajv2020({ ...options, validateSchema: false });
const everyFault = new Ajv2020({ ...options, validateSchema: false, allErrors: true });
const newSchemas = new Ajv2020({ ...options, code: { regExp: inLinearTime } });
for (const ajv of [firstFault, everyFault, newSchemas]) {
  addFormats.default(ajv, ['date', 'date-time', 'uri', 'email', 'uuid']);
}

/** Not all faults of a value with more members are reported: finding them takes seconds. */
const MAX_MEMBERS = 2_000;
/** So many entries of each list of such a value are examined: no list of a catalogue needs as many. */
const FIRST_ENTRIES = 200;

/**
 * Compiles a JSON Schema (draft 2020-12): no coercion, no defaults, unknown keywords ignored. Compiling is
 * slow (milliseconds); keep the check. The schema is taken to be sound: see `requireSoundSchema`.
 */
export function compileJsonSchema(schema: JsonObject): SchemaCheck {
  const isValid = firstFault.compile(schema);
  let validate: ValidateFunction | null = null;
  return (value) => {
    const escaped = namesInherited(value) ? escapeInherited(value) : value;
    if (isValid(escaped)) return [];
    validate ??= everyFault.compile(schema);
    if (membersOf(value, MAX_MEMBERS) <= MAX_MEMBERS) {
      validate(escaped);
      return faultsOf(validate.errors ?? [], schema);
    }
    const first = faultsOf(isValid.errors ?? [], schema);
    const shortened = withShortLists(escaped);
    if (membersOf(shortened, MAX_MEMBERS) > MAX_MEMBERS || validate(shortened)) return first;
    return [...first, ...faultsOf(validate.errors ?? [], schema)];
  };
}

/**
 * Throws for an invalid JSON Schema: the error of Ajv, or an error for a pattern that cannot be run in
 * linear time.
 */
export function requireSoundSchema(schema: JsonObject): void {
  newSchemas.compile(schema);
}

/** Patterns in the form that Ajv expects: it caches a pattern by its text. */
function patternEngine(compile: (pattern: string) => LinearPattern) {
  return Object.assign(
    (pattern: string) => {
      const compiled = compile(pattern);
      return { test: (text: string) => compiled.test(text), toString: () => pattern };
    },
    {
      code: 'linear pattern',
    },
  );
}

/** Number of array entries and object members at any depth; counting stops soon after `limit`. */
function membersOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly unknown[] = Object.values(value);
  let count = members.length;
  for (const member of members) {
    if (count > limit) break;
    count += membersOf(member, limit - count);
  }
  return count;
}

/** The object with the first entries of its lists. */
function withShortLists(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      Array.isArray(member) ? member.slice(0, FIRST_ENTRIES) : member,
    ]),
  );
}

function namesInherited(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesInherited);
  if (!isObject(value)) return false;
  return Object.keys(value).some((key) => key in Object.prototype || namesInherited(value[key]));
}

function escapeInherited(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(escapeInherited);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key in Object.prototype ? `${key}${INHERITED_MARK}` : key,
      escapeInherited(member),
    ]),
  );
}
