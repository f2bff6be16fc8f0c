import { isObject } from '#kernel/values/json.js';
import { SOMETHING_VISIBLE } from '#kernel/values/blank-text.js';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { neededFieldsOf, type NeededFields } from './body.js';
import { DATE_OR_DATE_TIME, type JsonSchema } from './parameters.js';

/** The rules for a JSON value: compiled once from decorators, checked by ajv, explained by `collectFaults`. */
export type Shape = {
  readonly type: JsonType | null;
  readonly nullable: boolean;
  readonly keywords: Keywords;
  readonly patterns: readonly Pattern[];
  /** Declared properties of a nested body; null for every other type. */
  readonly properties: ReadonlyMap<string, Shape> | null;
  readonly required: ReadonlySet<string>;
  /** For a whole body: checked if nothing else is wrong. */
  readonly needed: Needed | null;
  /** Name of the class that declares the properties; null if there is none. */
  readonly name: string | null;
  readonly items: Shape | null;
  /** The rules that the handler checks: for documentation, never checked here. */
  readonly judged?: JsonSchema;
  /** The handler looks for text that no store can keep. */
  readonly checksTextLater?: true;
};

/** At least one, or exactly one, of some properties is required. */
export type Needed = NeededFields & { readonly names: readonly string[] };

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

export type Keywords = {
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly format?: 'date' | 'date-or-date-time';
  /** Never inserted: it documents the handler's default. */
  readonly default?: unknown;
};

/** A regular expression for a text, and the message if it does not match. */
export type Pattern = { readonly source: string; readonly message: string };

type BodyType = new () => object;
type Rule = {
  readonly type?: JsonType;
  readonly keywords?: Keywords;
  readonly pattern?: Pattern;
  readonly judged?: JsonSchema;
};
type Declared = {
  readonly name: string;
  readonly constraints: readonly unknown[];
  readonly each: boolean;
  readonly message: unknown;
};

const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;
const BLANK: Pattern = { source: SOMETHING_VISIBLE, message: 'must not be empty' };

/** The known decorators, each with its JSON Schema keywords. */
const rules: { readonly [name: string]: (constraints: readonly unknown[], message: unknown) => Rule } = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer', keywords: SAFE }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({ type: 'object' }),
  isFreeObject: ([judged]) => ({ type: 'object', ...(isObject(judged) ? { judged } : {}) }),
  isAnyJson: () => ({}),
  nestedValidation: () => ({ type: 'object' }),
  isId: () => ({ type: 'integer', keywords: { minimum: 1, maximum: Number.MAX_SAFE_INTEGER } }),
  isIn: ([values]) => ({ keywords: { enum: listOf(values) } }),
  isEnum: ([values]) => ({ keywords: { enum: Object.values(Object(values)) } }),
  min: ([minimum]) => ({ keywords: { minimum: numberOf(minimum) } }),
  max: ([maximum]) => ({ keywords: { maximum: numberOf(maximum) } }),
  isNotEmpty: () => ({ type: 'string', keywords: { minLength: 1 } }),
  isNotBlank: () => ({ type: 'string', pattern: BLANK }),
  minLength: ([minLength]) => ({ type: 'string', keywords: { minLength: numberOf(minLength) } }),
  maxLength: ([maxLength]) => ({ type: 'string', keywords: { maxLength: numberOf(maxLength) } }),
  isLength: ([minLength, maxLength]) => ({
    type: 'string',
    keywords: {
      minLength: numberOf(minLength),
      ...(maxLength === undefined ? {} : { maxLength: numberOf(maxLength) }),
    },
  }),
  matches: ([pattern], message) => ({ type: 'string', pattern: patternOf(pattern, message) }),
  isInstant: () => ({ type: 'string', keywords: { format: 'date-or-date-time' } }),
  defaultsTo: ([value]) => ({ keywords: { default: value } }),
  isCalendarDate: () => ({ type: 'string', keywords: { format: 'date' } }),
  arrayNotEmpty: () => ({ type: 'array', keywords: { minItems: 1 } }),
  arrayMinSize: ([minItems]) => ({ type: 'array', keywords: { minItems: numberOf(minItems) } }),
  arrayMaxSize: ([maxItems]) => ({ type: 'array', keywords: { maxItems: numberOf(maxItems) } }),
  arrayUnique: () => ({ type: 'array', keywords: { uniqueItems: true } }),
};

/** Decorators without a rule for the value itself. */
const flags = new Set(['isOptional', 'isNullable', 'isDefined', 'checksTextLater']);

/**
 * The shape of a body class. Fails at start, naming class and property, for an unknown decorator and for
 * contradictory decorators.
 */
export function shapeOf(type: BodyType): Shape {
  const byProperty = new Map<string, Declared[]>();
  for (const entry of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    const { propertyName, name = entry.type, constraints = [], each, message } = entry;
    const declared = byProperty.get(propertyName) ?? [];
    byProperty.set(propertyName, [...declared, { name, constraints, each, message }]);
  }
  const properties = new Map<string, Shape>();
  const required = new Set<string>();
  for (const [property, declared] of byProperty) {
    // such a name would read Object.prototype if the body does not have it
    if (property in Object.prototype) throw new Error(`${type.name}.${property}: not a usable name`);
    try {
      const shape = propertyShape(type, property, declared);
      const isLater = declared.some(({ name }) => name === 'checksTextLater');
      properties.set(property, isLater ? { ...shape, checksTextLater: true } : shape);
    } catch (error) {
      throw new Error(`${type.name}.${property}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (!declared.some(({ name }) => name === 'isOptional')) required.add(property);
  }
  const needed = neededBy(type, properties);
  return { ...ANYTHING, type: 'object', nullable: false, properties, required, needed, name: type.name };
}

function neededBy(type: BodyType, properties: ReadonlyMap<string, Shape>): Needed | null {
  const said = neededFieldsOf(type);
  if (said === null) return null;
  const names = said.keyword === 'oneOf' ? said.names : [...properties.keys()];
  const unknown = names.filter((name) => !properties.has(name));
  if (unknown.length > 0)
    throw new Error(`${type.name}: needs ${unknown.join(', ')}, which it does not declare`);
  return { ...said, names };
}

const ANYTHING: Shape = {
  type: null,
  nullable: true,
  keywords: {},
  patterns: [],
  properties: null,
  required: new Set(),
  needed: null,
  name: null,
  items: null,
};

function propertyShape(owner: BodyType, property: string, declared: readonly Declared[]): Shape {
  const nullable = declared.some(({ name }) => name === 'isNullable');
  const said = declared.filter(({ name }) => !flags.has(name));
  if (said.some(({ name }) => name === 'isAnyJson')) {
    if (said.length > 1) throw new Error('IsAnyJson stands alone');
    const judged = said[0]?.constraints[0];
    return isObject(judged) ? { ...ANYTHING, judged } : ANYTHING;
  }
  const nested = nestedTypeOf(owner, property, said);
  const ofValue = said.filter(({ each }) => !each);
  const ofItems = said.filter(({ each }) => each);
  const nestedShape = nested === null ? null : shapeOf(nested);
  const items = ofItems.length === 0 ? null : merge(ofItems, nestedShape);
  const value = merge(items === null ? ofValue : [...ofValue, AN_ARRAY], items === null ? nestedShape : null);
  if (value.type === null && value.keywords.enum === undefined) throw new Error('no decorator says its type');
  if (value.keywords.uniqueItems === true && (items?.type ?? 'object') === 'object') {
    throw new Error('ArrayUnique needs entries of text, numbers or booleans');
  }
  return { ...value, nullable, items };
}

/** The class of a nested body: that of `@Type`, next to `@ValidateNested`; null if there is none. */
function nestedTypeOf(owner: BodyType, property: string, said: readonly Declared[]): BodyType | null {
  const named = defaultMetadataStorage.findTypeMetadata(owner, property);
  const isValidated = said.some(({ name }) => name === 'nestedValidation');
  if (named === undefined) {
    if (isValidated) throw new Error('ValidateNested does not say of which class: add Type');
    return null;
  }
  if (!isValidated) throw new Error('Type alone checks nothing: add ValidateNested');
  if (named.options.discriminator !== undefined) throw new Error('Type takes one class, no discriminator');
  const type: unknown = named.typeFunction();
  if (!isBodyType(type)) throw new Error('Type does not name a class');
  if (neededFieldsOf(type) !== null) throw new Error('what a body needs is said of whole bodies');
  return type;
}

function isBodyType(type: unknown): type is BodyType {
  return typeof type === 'function' && type.prototype !== undefined;
}

const AN_ARRAY: Declared = { name: 'isArray', constraints: [], each: false, message: undefined };

function merge(declared: readonly Declared[], nested: Shape | null): Shape {
  let type: JsonType | null = null;
  let keywords: Keywords = {};
  const patterns: Pattern[] = [];
  let judged: JsonSchema | undefined;
  for (const { name, constraints, message } of declared) {
    const rule = Object.hasOwn(rules, name) ? rules[name]?.(constraints, message) : undefined;
    if (rule === undefined) throw new Error(`the decorator ${name} is not understood`);
    if (rule.type !== undefined && type !== null && rule.type !== type) {
      throw new Error(`${name} asks for ${rule.type}, another decorator for ${type}`);
    }
    type = rule.type ?? type;
    keywords = narrow(keywords, rule.keywords ?? {});
    if (rule.pattern !== undefined) patterns.push(rule.pattern);
    judged = rule.judged ?? judged;
  }
  const bounded = keywords.minimum !== undefined || keywords.maximum !== undefined;
  if (bounded && type === null) type = 'number';
  if (bounded && type !== 'integer' && type !== 'number') throw new Error('Min and Max are for numbers');
  return {
    type,
    nullable: false,
    keywords,
    patterns,
    properties: nested?.properties ?? null,
    required: nested?.required ?? new Set(),
    needed: null,
    name: nested?.name ?? null,
    items: null,
    ...(judged === undefined ? {} : { judged }),
  };
}

function narrow(left: Keywords, right: Keywords): Keywords {
  const minimum = Math.max(left.minimum ?? -Infinity, right.minimum ?? -Infinity);
  const maximum = Math.min(left.maximum ?? Infinity, right.maximum ?? Infinity);
  return {
    ...left,
    ...right,
    ...(minimum === -Infinity ? {} : { minimum }),
    ...(maximum === Infinity ? {} : { maximum }),
  };
}

/** The shape for OpenAPI: with names, and with the rules that handlers check. */
export function toDocumentedSchema(shape: Shape): JsonSchema {
  return schemaOf(shape, 'documented');
}

/** The shape as JSON Schema 2020-12 for ajv. */
export function toJsonSchema(shape: Shape): JsonSchema {
  return schemaOf(shape, 'run');
}

function schemaOf(shape: Shape, use: 'documented' | 'run'): JsonSchema {
  if (use === 'documented' && shape.judged !== undefined) return shape.judged;
  const { type, nullable, keywords, properties, patterns, required, needed, name, items } = shape;
  // expresses an own format with standard ones
  if (use === 'documented' && keywords.format === 'date-or-date-time') {
    return nullable ? { anyOf: [...DATE_OR_DATE_TIME.anyOf, { type: 'null' }] } : DATE_OR_DATE_TIME;
  }
  const [pattern, ...further] = patterns;
  const types = nullable ? [type, 'null'] : type;
  return {
    ...(type === null ? {} : { type: types }),
    ...keywords,
    ...(keywords.enum === undefined || !nullable ? {} : { enum: [...keywords.enum, null] }),
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
    ...(further.length === 0
      ? {}
      : { allOf: further.map(({ source }) => ({ type: types, pattern: source })) }),
    ...(use === 'run' || name === null ? {} : { title: name }),
    ...(items === null ? {} : { items: schemaOf(items, use) }),
    ...(properties === null
      ? {}
      : {
          properties: Object.fromEntries(
            [...properties].map(([property, each]) => [property, schemaOf(each, use)]),
          ),
          required: [...required],
        }),
    ...(needed === null ? {} : { [needed.keyword]: needed.names.map((field) => needing(field, use)) }),
  };
}

/** The strict compiler accepts `required` only if the property is known. */
function needing(field: string, use: 'documented' | 'run'): JsonSchema {
  return { required: [field], ...(use === 'run' ? { properties: { [field]: true } } : {}) };
}

function listOf(values: unknown): readonly unknown[] {
  if (!Array.isArray(values)) throw new Error('IsIn needs a list');
  return values;
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new Error('a bound must be a number');
  return value;
}

function patternOf(pattern: unknown, message: unknown): Pattern {
  if (!(pattern instanceof RegExp) || pattern.flags.replace('u', '') !== '') {
    throw new Error('Matches takes a regular expression without flags (or with u)');
  }
  // ajv uses the u flag: a pattern that is invalid with that flag fails at start
  const { source } = new RegExp(pattern.source, 'u');
  return { source, message: typeof message === 'string' ? message : 'does not have the expected form' };
}
