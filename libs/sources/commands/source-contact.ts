import { refusal } from '#kernel/values/refusal.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import type { SourceKind } from '../source-kind.js';

const contactRequired = refusal({
  code: 'source-contact-required',
  kind: 'conflicting',
  detail: 'Set SOURCE_CONTACT first: it is sent to providers as a contact.',
});

/** Throws if no contact for providers is configured. A file needs none. */
export function requireContact({ sources }: Pick<OperatorHost, 'sources'>, kind: SourceKind | null): void {
  if (sources.contact === null && kind?.isFile !== true) throw contactRequired();
}
