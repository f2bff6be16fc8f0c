// A process that writes a history into a new event store file and prints it, an event a line. With a third argument
// it stays, idle, with the file open.
//
// node write-history.js <path> <rounds> [and stay]
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { historyOf, writeHistory } from './history.js';

const [path = '', rounds = '1', stay] = process.argv.slice(2);
const store = await openSqliteEventStore({ path });
await writeHistory(store, Number(rounds));
for (const facts of await historyOf(store)) process.stdout.write(`${JSON.stringify(facts)}\n`);
if (stay !== undefined) {
  // It runs until it is killed.
  setInterval(() => undefined, 1_000);
  await new Promise(() => undefined);
}
await store.close();
