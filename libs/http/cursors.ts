import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import type { Scalar } from '#kernel/ports/read-store.port.js';
import { fieldError, refusal, type Refusal } from '#kernel/values/refusal.js';

const MAC_BYTES = 8;
const VERSION = 1;

export const cursorRefused = refusal({
  code: 'cursor-refused',
  kind: 'unacceptable',
  detail: 'The cursor cannot be used for this request.',
});

/** The list, workspace and filters of a cursor: it is valid for nothing else. */
export type CursorScope = {
  /** Name of the endpoint, e.g. `usage`. */
  readonly endpoint: string;
  readonly workspaceId: number;
  /** The filters as the caller sent them, without cursor and limit. */
  readonly filters: JsonObject;
};

/**
 * Where the next page starts: the sort keys of the last row seen, and the facts that the first page fixed for the
 * others.
 */
export type CursorPoint = { readonly keys: readonly Scalar[]; readonly fixed?: JsonObject };

/** Creates and reads the opaque, signed cursors of all endpoints (OP-23, OP-39). */
export class Cursors {
  /** `secret` signs; the same on every process that serves the same callers. */
  constructor(private readonly secret: string | Buffer) {}

  /** A URL-safe text for this position, valid in this scope only. */
  encode(scope: CursorScope, { keys, fixed = {} }: CursorPoint): string {
    const content = {
      v: VERSION,
      e: scope.endpoint,
      w: scope.workspaceId,
      f: hashOf(scope.filters),
      k: keys,
      x: fixed,
    };
    const text = Buffer.from(JSON.stringify(content));
    return Buffer.concat([text, this.sign(text)]).toString('base64url');
  }

  /**
   * The position of a cursor of the same scope. Throws `cursorRefused` (400 on `cursor`) for anything else;
   * `otherFilters` is the message for a cursor with other filters.
   */
  decode(
    cursor: string,
    scope: CursorScope,
    otherFilters = 'was issued for other filters',
  ): Required<CursorPoint> {
    const content = this.open(cursor);
    if (content === null || content.v !== VERSION || content.w !== scope.workspaceId) {
      throw refused('is not a cursor of this service');
    }
    if (content.e !== scope.endpoint) throw refused('was issued by another endpoint');
    if (content.f !== hashOf(scope.filters)) throw refused(otherFilters);
    return { keys: content.k, fixed: content.x };
  }

  private open(cursor: string): Content | null {
    const bytes = Buffer.from(cursor, 'base64url');
    // Buffer skips characters outside base64url: only the issued spelling is accepted
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return null;
    const text = bytes.subarray(0, -MAC_BYTES);
    if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), this.sign(text))) return null;
    // signed, so it is what `encode` wrote
    const content: Content = JSON.parse(text.toString('utf8'));
    return content;
  }

  private sign(text: Buffer): Buffer {
    return createHmac('sha256', this.secret).update(text).digest().subarray(0, MAC_BYTES);
  }
}

type Content = {
  readonly v: number;
  readonly e: string;
  readonly w: number;
  readonly f: string;
  readonly k: readonly Scalar[];
  readonly x: { readonly [name: string]: JsonValue | undefined };
};

function hashOf(filters: JsonObject): string {
  return createHash('sha256').update(canonicalJson(filters)).digest('base64url').slice(0, 11);
}

function refused(message: string): Refusal {
  return cursorRefused({ errors: fieldError('cursor', message) });
}
