import { isBlank } from '#kernel/values/blank-text.js';
import { parseInstant } from '#kernel/values/instants.js';
import type { JsonObject } from '#kernel/values/json.js';
import { note, type Faults } from '#kernel/values/faults.js';

/**
 * Readers for bodies that are validated only after their resource was found (OP-01). Each records faults under its field;
 * its result is not valid then.
 */

/** The value, or undefined if the field was not sent. */
export function whenSent<Value>(value: unknown, read: (value: unknown) => Value): Value | undefined {
  return value === undefined ? undefined : read(value);
}

export function readName(value: unknown, maxLength: number, faults: Faults): string {
  if (typeof value !== 'string') note(faults, 'name', 'must be a string');
  else if (isBlank(value)) note(faults, 'name', 'must not be empty');
  else if ([...value].length > maxLength) {
    note(faults, 'name', `must contain at most ${maxLength} characters`);
  } else return value;
  return '';
}

export function readEnabled(value: unknown, faults: Faults): boolean {
  if (typeof value !== 'boolean') note(faults, 'enabled', 'must be true or false');
  return value === true;
}

export function readParameters(value: unknown, faults: Faults): JsonObject {
  if (isJsonObject(value)) return value;
  note(faults, 'parameters', 'must be an object');
  return {};
}

/** A calendar-valid `YYYY-MM-DD`. */
export const isCalendarDate = (value: unknown): boolean =>
  typeof value === 'string' && (parseInstant(value)?.dateOnly ?? false);

// The value comes from a body that was parsed as JSON, so an object here holds only JSON.
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
