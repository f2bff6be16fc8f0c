import { fromStored, toStored } from '#kernel/values/credits.js';
import { fieldError, Refusal, refusal } from '#kernel/values/refusal.js';
import type { Quote } from '#signals/launching/quotes.js';
import type { CursorScope, Cursors } from '#http/cursors.js';

export const unknownQuote = refusal({
  code: 'unknown-quote',
  kind: 'unacceptable',
  detail: 'The quote cannot be used.',
});

/** Another workspace's is no quote of this one. */
const scopeOf = (workspaceId: number): CursorScope => ({
  endpoint: 'signal-run-quote',
  workspaceId,
  filters: {},
});

const PREFIX = 'quote_';

/** The id of a quote: all of it, sealed like a cursor. */
export function sealQuote(cursors: Cursors, workspaceId: number, quote: Quote): string {
  const { creditsAtMost, madeOf, ...fixed } = quote;
  const sealed = cursors.encode(scopeOf(workspaceId), {
    keys: [],
    fixed: {
      ...fixed,
      madeOf: { ...madeOf },
      creditsAtMost: creditsAtMost === null ? null : toStored(creditsAtMost),
    },
  });
  return PREFIX + sealed;
}

/** The quote of an id. Throws `unknownQuote` (400 on `quote_id`) for anything that is none of this workspace. */
export function openQuote(cursors: Cursors, workspaceId: number, quoteId: string): Quote {
  try {
    const sealed = quoteId.startsWith(PREFIX) ? quoteId.slice(PREFIX.length) : '';
    // Sealed, so it is what `sealQuote` wrote.
    const { creditsAtMost, ...quote } = cursors.decode(sealed, scopeOf(workspaceId)).fixed as SealedQuote;
    return { ...quote, creditsAtMost: creditsAtMost === null ? null : fromStored(creditsAtMost) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw unknownQuote({ errors: fieldError('quote_id', 'is not a quote of this workspace') });
  }
}

type SealedQuote = Omit<Quote, 'creditsAtMost'> & { readonly creditsAtMost: string | null };
