// Takes the write lock of an SQLite file when it receives a message, and holds it until it is killed. Sends a message when
// it is ready, and when it has the lock.
//
// node file-locker.js <path>
import { DatabaseSync } from '@photostructure/sqlite';

const [path = ''] = process.argv.slice(2);
const db = new DatabaseSync(path);
db.exec('PRAGMA busy_timeout = 5000');
// The listener also keeps the process alive, and the connection from being collected, and the lock with it.
process.on('message', () => {
  db.exec('BEGIN IMMEDIATE');
  process.send?.('locked');
});
process.send?.('ready');
