import { randomUUID } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStore, NewEvent } from '#kernel/ports/event-store.port.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { medianMs, throughput, type Bench } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

const CALLS = 1_000;
const PARALLEL_CALLS = 20_000;
const CALLERS = 64;

/** A small event, like a capture. */
const event = (): NewEvent => ({
  id: randomUUID(),
  type: 'Measured',
  data: { movementId: 1, key: 'launch:91:post:3f2a' },
  metadata: { workspaceId: '1', commandId: randomUUID(), recordedAt: new Date().toISOString() },
});

async function countEvents(store: EventStore): Promise<number> {
  let events = 0;
  for await (const batch of store.readAll()) events += batch.events.length;
  return events;
}

/** F: one fdatasync of a small append to a file of the same folder. */
export async function fdatasyncMs(folder: string): Promise<number> {
  const file = openSync(join(folder, 'plain'), 'a');
  const bytes = Buffer.alloc(256, 'x');
  const median = await medianMs(CALLS, () => {
    writeSync(file, bytes);
    fdatasyncSync(file);
  });
  closeSync(file);
  return median;
}

export const appendBench: Bench = {
  name: 'append',
  async run() {
    const folder = temporaryFolder();
    const plain = await fdatasyncMs(folder);
    const store = await openSqliteEventStore({ path: join(folder, 'events.db') });
    const alone = await medianMs(CALLS, () => store.append(`alone-${randomUUID()}`, 'no-stream', [event()]));
    const oneCaller = 1_000 / alone;
    const before = await countEvents(store);
    const many = await throughput(CALLERS, PARALLEL_CALLS, () =>
      store.append(`many-${randomUUID()}`, 'no-stream', [event()]),
    );
    const written = (await countEvents(store)) - before;
    await store.close();
    return [
      {
        what: 'one durable append, one caller',
        measured: alone,
        unit: 'ms',
        beside: 'F, one fdatasync',
        besideValue: plain,
        goal: { atMost: 2 },
        proof: 'read back',
      },
      {
        what: `durable appends, ${CALLERS} callers`,
        measured: many,
        unit: '/s',
        beside: 'one caller',
        besideValue: oneCaller,
        goal: { atLeast: 5 },
        proof: `${written} of ${PARALLEL_CALLS} on disk`,
      },
    ];
  },
};
