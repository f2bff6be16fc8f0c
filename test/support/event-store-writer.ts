// A process that appends to an event store file until it has written enough or is killed. It prints the id of every
// event whose append was acknowledged, and the name and outcome of the error that stops it.
//
// node event-store-writer.js <path> <stream prefix> <lanes> <appends per lane> <bytes per event>
import { writeSync } from 'node:fs';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { newEvent } from './event-stores.js';

const [path = '', prefix = '', lanes = '1', appends = '1', bytes = '0'] = process.argv.slice(2);
const store = await openSqliteEventStore({ path });
const text = 'x'.repeat(Number(bytes));

async function lane(stream: string): Promise<void> {
  for (let next = 0; next < Number(appends); next += 1) {
    const event = newEvent('Noted', { text });
    await store.append(stream, next === 0 ? 'no-stream' : BigInt(next - 1), [event]);
    print(`${event.id}\n`);
  }
}

/**
 * Written at once, so that a printed id is an acknowledged one. A full pipe answers EAGAIN until its reader has read.
 */
function print(line: string): void {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

try {
  await Promise.all(Array.from({ length: Number(lanes) }, (_, index) => lane(`${prefix}-${index}`)));
  await store.close();
} catch (error) {
  const outcome = error instanceof StoreUnavailable ? error.outcome : 'none';
  writeSync(2, `${error instanceof Error ? error.name : String(error)} ${outcome}\n`);
  process.exitCode = 1;
}
