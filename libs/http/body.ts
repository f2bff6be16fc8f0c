import 'reflect-metadata';
import { ValidateBy } from 'class-validator';
import { isBlank } from '#kernel/values/blank-text.js';
import { parseInstant } from '#kernel/values/instants.js';
import type { JsonSchema } from './parameters.js';

/**
 * Decorators for request bodies beside those of class-validator. The rules here: a property is required
 * unless `@IsOptional()`; null is refused unless `@IsNullable()`; with both it may be absent or null.
 * `{ each: true }` applies a rule to the entries of an array, as in class-validator. A nested body is declared by the usual
 * pair: `@ValidateNested()` and `@Type(() => ScheduleBody)` of class-transformer.
 */
type Each = { readonly each?: boolean };

/** One decorator of several: for a rule that several bodies have. */
export const all =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, property) =>
    decorators.forEach((decorate) => decorate(target, property));

/** An id: an integer from 1 to 2^53 - 1. */
export function IsId(options: Each = {}): PropertyDecorator {
  return own('isId', options, (value) => Number.isSafeInteger(value) && Number(value) >= 1);
}

/** Null is accepted in addition to the values that the other decorators allow. */
export function IsNullable(): PropertyDecorator {
  return own('isNullable', {}, () => true);
}

/** The value of an absent property, for the documentation; the handler inserts it. */
export function DefaultsTo(value: string | number): PropertyDecorator {
  return own('defaultsTo', {}, () => true, [value]);
}

/** Text that is not empty and not white space alone. */
export function IsNotBlank(options: Each = {}): PropertyDecorator {
  return own('isNotBlank', options, (value) => typeof value === 'string' && !isBlank(value));
}

/** `YYYY-MM-DD` or an RFC 3339 timestamp, read with `parseInstant` (OP-08). */
export function IsInstant(): PropertyDecorator {
  return own('isInstant', {}, (value) => typeof value === 'string' && parseInstant(value) !== null);
}

/** A calendar-valid `YYYY-MM-DD`. */
export function IsDate(): PropertyDecorator {
  return own('isCalendarDate', {}, (value) => {
    return typeof value === 'string' && (parseInstant(value)?.dateOnly ?? false);
  });
}

/**
 * An object without further rules, kept exactly as sent. If the handler validates it, `judged` documents the
 * handler's rules.
 */
export function IsFreeObject({
  judged,
  ...options
}: Each & { readonly judged?: JsonSchema } = {}): PropertyDecorator {
  return own('isFreeObject', options, (value) => typeof value === 'object' && value !== null, [judged]);
}

/** Any JSON value, including null; the handler validates it, and `judged` documents the handler's rules. */
export function IsAnyJson(judged: JsonSchema = {}): PropertyDecorator {
  return own('isAnyJson', {}, () => true, [judged]);
}

/** The handler refuses text that no store can keep, under names of its own (OP-03); elsewhere the reader does. */
export function ChecksTextLater(): PropertyDecorator {
  return own('checksTextLater', {}, () => true);
}

/** The fields of which a body must have some: checked if nothing else is wrong. */
export type NeededFields =
  /** At least one of the declared properties; `detail` is the message otherwise. */
  | { readonly keyword: 'anyOf'; readonly detail: string }
  /** Exactly one of these; it is said under the first of them. */
  | { readonly keyword: 'oneOf'; readonly names: readonly string[] };

const NEEDED = Symbol('fields that a body cannot be without');

/** An empty body is refused with `detail`. */
export function NeedsSomeField(detail: string): ClassDecorator {
  return needing({ keyword: 'anyOf', detail });
}

/** Exactly one of these fields is required. */
export function NeedsExactlyOneOf(...names: readonly string[]): ClassDecorator {
  return needing({ keyword: 'oneOf', names });
}

function needing(needed: NeededFields): ClassDecorator {
  return (type) => Reflect.defineMetadata(NEEDED, needed, type);
}

/** The rules of this class alone; a subclass does not inherit them and has to repeat them. */
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
