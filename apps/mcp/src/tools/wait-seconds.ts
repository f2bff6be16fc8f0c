import type { JsonValue } from '#kernel/values/json.js';
import { fieldError } from '#kernel/values/refusal.js';
import { invalidRequest } from '#http/problem.js';
import type { JsonSchema } from '#http/parameters.js';
import { LONGEST_WAIT } from '#http/waiting.js';

/** The argument of tools that can wait for the end of a run. */
export const WAIT_SECONDS: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: LONGEST_WAIT,
  default: 0,
  description:
    'How long to wait for the end of what runs, in seconds; then the answer is that of the moment.',
};

/** Throws `RequestRefused` for any other value. */
export function waitSeconds(given: JsonValue | undefined): number {
  if (given === undefined) return 0;
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= LONGEST_WAIT)
    return given;
  throw invalidRequest(
    'body',
    422,
    fieldError('wait_seconds', `must be an integer from 0 to ${LONGEST_WAIT}`),
    'The arguments are not valid.',
  );
}
