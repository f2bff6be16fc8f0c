// A process that uses an event store file with everything that runs beside it (a checkpoint thread, a waiting
// subscription) and closes nothing: it must end all the same.
//
// node event-store-leaver.js <path>
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { startCheckpointer } from '#sqlite/checkpointer.js';
import { newEvents } from './event-stores.js';

const [path = ''] = process.argv.slice(2);
const store = await openSqliteEventStore({ path });
await store.append('leaving-1', 'no-stream', newEvents(50));
const checkpointer = startCheckpointer({ path, checkpointAtBytes: 1 });
await checkpointer.check();
process.stdout.write(`checkpoints ${checkpointer.copies()}\n`);
void (async () => {
  for await (const batch of store.subscribe({ signal: new AbortController().signal })) {
    process.stdout.write(`events ${batch.events.length}\n`);
  }
})();
