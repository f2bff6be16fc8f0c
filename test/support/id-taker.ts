// A process that takes ids from an event store file, several callers at once, and prints them.
//
// node id-taker.js <path> <callers> <ids per caller>
import { createIds } from '#kernel/commands/ids.js';
import { systemClock } from '#kernel/ports/clock.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';

const [path = '', callers = '1', count = '1'] = process.argv.slice(2);
const store = await openSqliteEventStore({ path });
const ids = createIds(store, systemClock);
const taken = await Promise.all(
  Array.from({ length: Number(callers) }, () => ids.nextMany('run', Number(count))),
);
process.stdout.write(
  taken
    .flat()
    .map((id) => `${id}\n`)
    .join(''),
);
await store.close();
