// A process that holds credits as fast as it can. It says that it is there, waits for the event `Started` in the
// store, then sends all its holds at once and prints what came of each.
//   node racing-holder.js <path> <workspace> <name> <holds> <credits>
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { holdConcurrently } from './concurrent-holds.js';

const [path = '', workspace = '', name = '', holds = '', credits = ''] = process.argv.slice(2);
const store = await openSqliteEventStore({ path });
// A store's own timers keep no process alive.
const alive = setInterval(() => {}, 1_000);
process.stdout.write('ready\n');
const started = new AbortController();
for await (const { events } of store.subscribe({ types: ['Started'], signal: started.signal })) {
  if (events.length > 0) started.abort();
}
const keys = Array.from({ length: Number(holds) }, (_, index) => `${name}:${index}`);
for (const outcome of await holdConcurrently(store, workspace, keys, BigInt(credits))) {
  process.stdout.write(`${outcome}\n`);
}
await store.close();
clearInterval(alive);
