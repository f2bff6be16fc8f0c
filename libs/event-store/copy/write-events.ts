import {
  AppendTooLarge,
  WrongExpectedRevision,
  type StoredEvent,
  type StreamAppend,
} from '#kernel/ports/event-store.port.js';
import type { CopyDestination } from './copy-ends.js';
import { destinationWritten, eventDoesNotFit, streamChangedOnServer } from './copy-refusals.js';
import { collectWave } from './wave.js';

/**
 * Writes events after those in the destination, wave by wave, and returns their number; `report` is called for each
 * wave.
 */
export async function writeEvents(
  reading: AsyncIterator<StoredEvent, undefined>,
  destination: CopyDestination,
  report: (written: number) => void,
): Promise<number> {
  const wave = collectWave(destination.limits);
  let written = 0;
  const write = async (): Promise<void> => {
    const events = wave.events();
    if (events === 0) return;
    await writeInOrder(destination, wave.flush());
    written += events;
    report(written);
  };
  report(0);
  for (let next = await reading.next(); next.done !== true; next = await reading.next()) {
    if (wave.take(next.value)) continue;
    await write();
    wave.take(next.value);
  }
  await write();
  return written;
}

async function writeInOrder(destination: CopyDestination, appends: readonly StreamAppend[]): Promise<void> {
  try {
    await destination.write(appends);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) {
      const { stream, expected, actual } = error;
      const at = (revision: typeof expected): bigint => (revision === 'no-stream' ? -1n : revision);
      // The destination has all earlier events: events missing there are missing in the source too.
      throw at(actual) < at(expected)
        ? streamChangedOnServer({ members: { stream, what: `event ${at(actual) + 1n} is gone` } })
        : destinationWritten({ members: { stream, revision: String(at(actual)) } });
    }
    // The error of an adapter for a name, an id or a size that its store does not accept.
    if (error instanceof AppendTooLarge || error instanceof TypeError || error instanceof RangeError) {
      throw eventDoesNotFit({ members: { reason: error.message } });
    }
    throw error;
  }
}
