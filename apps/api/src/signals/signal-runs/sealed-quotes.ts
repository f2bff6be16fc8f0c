import { fromStored, toStored } from '#kernel/values/credits.js';
import type { JsonObject } from '#kernel/values/json.js';
import { fieldError, Refusal, refusal } from '#kernel/values/refusal.js';
import { guardOf } from '#kernel/values/schema-guard.js';
import { Nullable, StoredCredits, Timestamp, Type } from '#kernel/values/schema.js';
import type { Quote } from '#signals/launching/quotes.js';
import type { CursorScope, Cursors } from '#http/cursors.js';

export const unknownQuote = refusal({
  code: 'unknown-quote',
  kind: 'unacceptable',
  detail: 'The quote cannot be used.',
});

/** A quote of another workspace is unknown here. */
const scopeOf = (workspaceId: number): CursorScope => ({
  endpoint: 'signal-run-quote',
  workspaceId,
  filters: {},
});

const PREFIX = 'quote_';

/** The id of a quote: the whole quote, sealed like a cursor. */
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

/** The quote in an id. Throws `unknownQuote` (400 on `quote_id`) if it is not a quote of this workspace. */
export function openQuote(cursors: Cursors, workspaceId: number, quoteId: string): Quote {
  const fixed = unsealed(cursors, workspaceId, quoteId);
  if (fixed === null || !isSealedQuote(fixed))
    throw unknownQuote({ errors: fieldError('quote_id', 'is not a quote of this workspace') });
  const { creditsAtMost, ...quote } = fixed;
  return { ...quote, creditsAtMost: creditsAtMost === null ? null : fromStored(creditsAtMost) };
}

/** The content of the id; null if this service did not seal it for the workspace. */
function unsealed(cursors: Cursors, workspaceId: number, quoteId: string): JsonObject | null {
  if (!quoteId.startsWith(PREFIX)) return null;
  try {
    return cursors.decode(quoteId.slice(PREFIX.length), scopeOf(workspaceId)).fixed;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const digest = Type.String();
/** An older version may have sealed another form. */
const isSealedQuote = guardOf(
  Type.Object({
    nonce: Type.String(),
    logId: Type.String(),
    body: digest,
    now: Timestamp,
    lookbackDays: Type.Integer(),
    madeOf: Type.Object({ source: digest, persona: digest, prices: digest }),
    creditsAtMost: Nullable(StoredCredits),
    needsNothing: Type.Optional(Type.Literal(true)),
    expiresAt: Timestamp,
  }),
);
