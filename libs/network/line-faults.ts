import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { placeOf } from '#kernel/values/schema-faults.js';
import type { Static, TSchema } from '#kernel/values/schema.js';
import { anyLine, observationLines, type LineKind } from './observation-lines.js';
import { isStorableJson, jsonFaults, readingOf, READINGS } from './observed-values.js';

/** A message about a line of the input. */
export type LineMessage = { readonly line: number; readonly message: string };

type Lines = typeof observationLines;
/** A line that satisfies every rule of its kind. */
export type ObservationLine = { readonly [Kind in LineKind]: Static<Lines[Kind]> }[LineKind];

// The schemas are part of this program, and a spec validates the published one.
const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateSchema: false });
ajv.addKeyword({
  keyword: 'reads',
  type: 'string',
  validate: (reads: string, text: string) => readingOf(reads)?.accepts(text) ?? false,
  errors: false,
});
ajv.addKeyword({
  keyword: 'storable',
  type: 'object',
  validate: (_storable: boolean, value: object) => isStorableJson(value),
  errors: false,
});

const schemas = new Map<string, TSchema>(Object.entries(observationLines));
const guards = new Map<string, ValidateFunction<ObservationLine>>();
let guardOfAny: ValidateFunction | null = null;

/** Compiled with the first line of its kind: compiling all kinds would take a tenth of the start-up time. */
function guardOf(kind: string): ValidateFunction<ObservationLine> | undefined {
  const known = guards.get(kind);
  const schema = schemas.get(kind);
  if (known !== undefined || schema === undefined) return known;
  const guard = ajv.compile<ObservationLine>(schema);
  guards.set(kind, guard);
  return guard;
}

/** The line, if it satisfies every rule of its kind; otherwise all its faults, each with its path. */
export function checkLine(
  line: unknown,
): { readonly line: ObservationLine } | { readonly faults: readonly string[] } {
  if (typeof line !== 'object' || line === null || Array.isArray(line))
    return { faults: ['the line must be a JSON object'] };
  const kind: unknown = Reflect.get(line, 'kind') ?? null;
  const isLine = typeof kind === 'string' ? guardOf(kind) : undefined;
  if (isLine === undefined) {
    const isAnyLine = (guardOfAny ??= ajv.compile(anyLine));
    isAnyLine(line);
    return { faults: [kindFault(kind), ...faultsOf(isAnyLine.errors ?? [])] };
  }
  return isLine(line) ? { line } : { faults: faultsOf(isLine.errors ?? []) };
}

function kindFault(kind: unknown): string {
  return kind === null || typeof kind === 'string'
    ? `kind must be one of ${[...schemas.keys()].join(', ')}`
    : 'kind must be a string';
}

/** The first fault of each path. */
function faultsOf(errors: readonly ErrorObject[]): readonly string[] {
  const byPath = new Map<string, readonly string[]>();
  const alternatives: ErrorObject[] = [];
  for (const error of errors) {
    // Reported once, by the rule that none of the alternatives is met.
    if (error.schemaPath.includes('/anyOf/')) continue;
    if (error.keyword === 'anyOf') {
      alternatives.push(error);
      continue;
    }
    const path = pathOf(error);
    if (!byPath.has(path)) byPath.set(path, messagesOf(error, path));
  }
  // A member that is present but invalid is not reported as missing too.
  if (byPath.size === 0) return alternatives.map((error) => ruleOf(error) ?? 'something is missing');
  return [...byPath.values()].flat();
}

function pathOf(error: ErrorObject): string {
  const missing = error.keyword === 'required' ? [String(error.params['missingProperty'])] : [];
  return [...placeOf(error), ...missing].filter((part) => part !== '').join('.');
}

function messagesOf(error: ErrorObject, path: string): readonly string[] {
  const { keyword, data } = error;
  if (keyword === 'storable') return jsonFaults(data, path);
  return [`${path} ${messageOf(error)}`];
}

function messageOf(error: ErrorObject): string {
  const { keyword, data } = error;
  if (keyword === 'required' || (keyword === 'type' && data === null)) return 'is required';
  if (keyword === 'reads') return readingOf(String(error.schema))?.rule ?? 'cannot be read';
  if (keyword === 'type') {
    const types: readonly unknown[] = [error.schema].flat();
    const wanted = types.find((type) => type !== 'null');
    if (error.parentSchema?.['reads'] === 'timestamp') return READINGS.timestamp.rule;
    if (wanted !== 'integer' || typeof data !== 'number')
      return TYPE_RULES.get(String(wanted)) ?? 'is of a wrong type';
  }
  return ruleOf(error) ?? error.message ?? 'is wrong';
}

/** The rule that a schema states in words. */
function ruleOf({ parentSchema }: ErrorObject): string | null {
  const rule: unknown = parentSchema?.['$comment'];
  return typeof rule === 'string' ? rule : null;
}

const TYPE_RULES: ReadonlyMap<string, string> = new Map([
  ['string', 'must be a string'],
  ['integer', 'must be a number'],
  ['number', 'must be a number'],
  ['boolean', 'must be true or false'],
  ['array', 'must be an array'],
  ['object', 'must be a JSON object'],
]);
