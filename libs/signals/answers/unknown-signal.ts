import { refusal } from '#kernel/values/refusal.js';

export const unknownSignal = refusal({
  code: 'unknown-signal',
  kind: 'missing',
  detail: 'There is no signal with this id in the workspace.',
});
