import { orderedUuid } from '#kernel/values/ordered-uuid.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's X-Request-Id if it is valid, otherwise a new UUIDv7 (OP-06). */
export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : orderedUuid(Date.now());
}
