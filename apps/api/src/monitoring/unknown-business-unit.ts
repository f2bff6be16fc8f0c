import { refusal } from '#kernel/values/refusal.js';

export const unknownBusinessUnit = refusal({
  code: 'unknown-business-unit',
  kind: 'unprocessable',
  detail: 'The workspace has no business unit with this id.',
});
