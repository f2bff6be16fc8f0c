import { refusal } from '#kernel/values/refusal.js';

export const unknownTemplate = refusal({
  code: 'signal-template-not-found',
  kind: 'missing',
  detail: 'There is no signal template with this id.',
});
