import { orderedUuid } from '#kernel/values/ordered-uuid.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's X-Request-Id where it can be used as it is, else a new UUIDv7 (OP-06). */
export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : orderedUuid(Date.now());
}
