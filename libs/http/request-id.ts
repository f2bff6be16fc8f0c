import { orderedUuid } from '#kernel/values/ordered-uuid.js';
import { isRequestId } from '#kernel/values/request-ids.js';

/** The caller's X-Request-Id if it is valid, otherwise a new UUIDv7 (OP-06). */
export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && isRequestId(header) ? header : orderedUuid(Date.now());
}
