import { refusal } from '#kernel/values/refusal.js';
import type { OperatorHost } from '#ops/support/operator-command.js';

const contactRequired = refusal({
  code: 'source-contact-required',
  kind: 'conflicting',
  detail: 'Set SOURCE_CONTACT first: providers are told whom they can write to.',
});

/** Throws where nobody is named whom providers can write to. */
export function requireContact({ sources }: Pick<OperatorHost, 'sources'>): void {
  if (sources.contact === null) throw contactRequired();
}
