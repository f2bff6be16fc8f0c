import { randomUUID } from 'node:crypto';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's X-Request-Id where it can be used as it is, else a new UUIDv7 (OP-06). */
export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : uuidV7(Date.now());
}

/**
 * RFC 9562, 5.7: 48 bits of Unix milliseconds, version 7, then random bits. They are those of Node's pooled
 * version 4, which is several times as fast as drawing bytes for each request.
 */
function uuidV7(nowMs: number): string {
  if (nowMs !== latest.ms) {
    const time = nowMs.toString(16).padStart(12, '0');
    latest = { ms: nowMs, prefix: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  return latest.prefix + randomUUID().slice(15);
}

// spelling a millisecond takes as long as all the rest, and a busy one has several requests
let latest = { ms: -1, prefix: '' };
