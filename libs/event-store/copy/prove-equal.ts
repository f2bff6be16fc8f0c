import { createHash } from 'node:crypto';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { copyDiffers, destinationWritten, sourceWritten } from './copy-refusals.js';
import { eventLine, placeOf } from './event-line.js';

/** Reads both sides to their ends and returns the number of events and the hash of both sides. */
export async function proveEqual(
  source: AsyncGenerator<StoredEvent>,
  destination: AsyncGenerator<StoredEvent>,
  report: (done: number) => void,
): Promise<{ readonly events: number; readonly sha256: string }> {
  const lines = createHash('sha256');
  let events = 0;
  try {
    for (;;) {
      const [left, right] = await Promise.all([source.next(), destination.next()]);
      if (left.done === true && right.done === true) break;
      if (left.done === true)
        throw destinationWritten({ members: right.done === true ? {} : placeOf(right.value) });
      if (right.done === true) throw sourceWritten({ members: placeOf(left.value) });
      const [wanted, copied] = [eventLine(left.value), eventLine(right.value)];
      if (wanted !== copied) throw copyDiffers({ members: placeOf(left.value) });
      lines.update(`${wanted}\n`);
      events += 1;
      report(events);
    }
  } finally {
    await Promise.all([source.return(undefined), destination.return(undefined)]);
  }
  return { events, sha256: lines.digest('hex') };
}
