import { refusal } from '#kernel/values/refusal.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import type { SourceKind } from '../source-kind.js';

const contactRequired = refusal({
  code: 'source-contact-required',
  kind: 'conflicting',
  detail: 'Set SOURCE_CONTACT first: providers are told whom they can write to.',
});

/** Throws where nobody is named whom providers can write to. Of a file nobody is asked. */
export function requireContact({ sources }: Pick<OperatorHost, 'sources'>, kind: SourceKind | null): void {
  if (sources.contact === null && kind?.isFile !== true) throw contactRequired();
}
