import { fieldError, refusal, type Refusal } from '#kernel/values/refusal.js';

export const unknownBusinessUnit = refusal({
  code: 'unknown-business-unit',
  kind: 'unprocessable',
  detail: 'The workspace has no business unit with this id.',
});

/** The refusal of a `persona_id` that is no business unit: an archived persona is none (PER-15). */
export const noActivePersona = (): Refusal =>
  unknownBusinessUnit({ errors: fieldError('persona_id', 'is no active persona of the workspace') });
