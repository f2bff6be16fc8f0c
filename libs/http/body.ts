import 'reflect-metadata';
import { ValidateBy } from 'class-validator';
import { isBlank } from '#kernel/values/blank-text.js';
import { parseInstant } from '#kernel/values/instants.js';
import type { JsonSchema } from './parameters.js';

/**
 * Decorators for request bodies beside those of class-validator. The reading of the house: a property is
 * required unless `@IsOptional()`; null is refused unless `@IsNullable()`, with both it may be absent or null.
 * Put `{ each: true }` for the entries of an array, as in class-validator. A nested body is declared by the usual
 * pair: `@ValidateNested()` and `@Type(() => ScheduleBody)` of class-transformer.
 */
type Each = { readonly each?: boolean };

/** An id: an integer from 1 to 2^53 - 1. */
export function IsId(options: Each = {}): PropertyDecorator {
  return own('isId', options, (value) => Number.isSafeInteger(value) && Number(value) >= 1);
}

/** Null is accepted beside what the other decorators say. */
export function IsNullable(): PropertyDecorator {
  return own('isNullable', {}, () => true);
}

/** What is meant where the property is absent: for the documentation, the handler puts it in. */
export function DefaultsTo(value: string | number): PropertyDecorator {
  return own('defaultsTo', {}, () => true, [value]);
}

/** Text that is not empty and not white space alone. */
export function IsNotBlank(options: Each = {}): PropertyDecorator {
  return own('isNotBlank', options, (value) => typeof value === 'string' && !isBlank(value));
}

/** `YYYY-MM-DD` or an RFC 3339 timestamp, read with `parseInstant` (OP-08). */
export function IsInstant(options: Each = {}): PropertyDecorator {
  return own('isInstant', options, (value) => typeof value === 'string' && parseInstant(value) !== null);
}

/** A calendar-valid `YYYY-MM-DD`. */
export function IsDate(options: Each = {}): PropertyDecorator {
  return own('isCalendarDate', options, (value) => {
    return typeof value === 'string' && (parseInstant(value)?.dateOnly ?? false);
  });
}

/**
 * An object of which nothing more is asked; it is kept exactly as sent. Where the handler judges it, `judged` is
 * what it asks, for the documentation.
 */
export function IsFreeObject({
  judged,
  ...options
}: Each & { readonly judged?: JsonSchema } = {}): PropertyDecorator {
  return own('isFreeObject', options, (value) => typeof value === 'object' && value !== null, [judged]);
}

/** Any JSON value, null included; the handler judges it, and `judged` is what it asks, for the documentation. */
export function IsAnyJson(judged: JsonSchema = {}): PropertyDecorator {
  return own('isAnyJson', {}, () => true, [judged]);
}

/** What of its fields a body cannot be without: looked at where nothing else is wrong with it. */
export type NeededFields =
  /** At least one of all that the class declares; what is said where there is none. */
  | { readonly keyword: 'anyOf'; readonly detail: string }
  /** Exactly one of these; it is said under the first of them. */
  | { readonly keyword: 'oneOf'; readonly names: readonly string[] };

const NEEDED = Symbol('fields that a body cannot be without');

/** A body that says nothing is refused with `detail`. */
export function NeedsSomeField(detail: string): ClassDecorator {
  return needing({ keyword: 'anyOf', detail });
}

/** One of these fields is sent, and none of the others. */
export function NeedsExactlyOneOf(...names: readonly string[]): ClassDecorator {
  return needing({ keyword: 'oneOf', names });
}

function needing(needed: NeededFields): ClassDecorator {
  return (type) => Reflect.defineMetadata(NEEDED, needed, type);
}

/** What this class itself says; a class that extends it says it again where it holds for it too. */
export function neededFieldsOf(type: object): NeededFields | null {
  const needed: NeededFields | undefined = Reflect.getOwnMetadata(NEEDED, type);
  return needed ?? null;
}

function own(
  name: string,
  { each = false }: Each,
  validate: (value: unknown) => boolean,
  constraints: unknown[] = [],
): PropertyDecorator {
  return ValidateBy({ name, constraints, validator: { validate } }, { each });
}
