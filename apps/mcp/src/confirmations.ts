import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson, type JsonObject } from '#kernel/values/json.js';
import type { Clock } from '#kernel/ports/clock.js';
import { fieldError, Refusal } from '#kernel/values/refusal.js';
import type { CursorScope, Cursors } from '#http/cursors.js';
import type { KeyHolder } from '#http/dispatch.js';
import { RequestRefused } from '#http/problem.js';

/** The lifetime of a question: shorter than that of an idempotency key, and of a quote. */
const GOOD_FOR_MS = 10 * 60_000;

/** The action that a person is asked to confirm. */
export type Agreement = {
  readonly tool: string;
  readonly caller: KeyHolder;
  readonly arguments: JsonObject;
};

export type Confirmations = ReturnType<typeof confirmations>;

/** The state that a client carries from a question to its answer, sealed like a cursor and stored nowhere. */
export function confirmations(cursors: Cursors, clock: Clock) {
  return {
    /** A text that is valid only for this tool, key and arguments. `quoteId`: the quote that the person saw. */
    seal: (agreement: Agreement, quoteId: string | null): string =>
      cursors.encode(scopeOf(agreement), {
        keys: [],
        fixed: {
          expiresAt: new Date(clock.now().getTime() + GOOD_FOR_MS).toISOString(),
          arguments: digestOf(agreement),
          quoteId,
        },
      }),
    /** The quote that the person saw. Throws `RequestRefused`, 400 on `requestState`, for anything else. */
    open: (agreement: Agreement, state: string): string | null => {
      const { expiresAt, arguments: asked, quoteId } = fixedIn(cursors, agreement, state);
      if (asked !== digestOf(agreement)) throw refused('was given for other arguments');
      if (String(expiresAt) <= clock.now().toISOString())
        throw refused('has expired: call without it to be asked again');
      return typeof quoteId === 'string' ? quoteId : null;
    },
  };
}

const digestOf = (agreement: Agreement): string => sha256Hex(canonicalJson(agreement.arguments));

const scopeOf = ({ tool, caller }: Agreement): CursorScope => ({
  endpoint: `mcp/${tool}`,
  workspaceId: caller.workspaceId,
  filters: { apiKeyId: caller.keyId },
});

function fixedIn(cursors: Cursors, agreement: Agreement, state: string): JsonObject {
  try {
    return cursors.decode(state, scopeOf(agreement)).fixed;
  } catch (error) {
    if (error instanceof Refusal) throw refused('was not given to this key for this tool');
    throw error;
  }
}

const refused = (message: string): RequestRefused =>
  new RequestRefused({
    status: 400,
    place: 'body',
    detail: 'The confirmation cannot be used.',
    errors: fieldError('requestState', message),
  });
