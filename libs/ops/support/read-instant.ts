import { parseInstant } from '#kernel/values/instants.js';
import { fieldError } from '#kernel/values/refusal.js';
import { invalidInput } from './amounts.js';

/** Reads a date or timestamp as RFC 3339 in UTC with milliseconds. Throws `invalidInput` naming the field. */
export function readInstant(text: string, field: string): string {
  const instant = parseInstant(text);
  if (instant === null) {
    throw invalidInput({ errors: fieldError(field, 'must be a date or an RFC 3339 timestamp') });
  }
  return instant.at.toISOString();
}
