// Holds the write lock of an SQLite file until it receives any input or is killed.
//
// node file-locker.js <path>
import { DatabaseSync } from '@photostructure/sqlite';

const [path = ''] = process.argv.slice(2);
const db = new DatabaseSync(path);
db.exec('PRAGMA busy_timeout = 5000');
db.exec('BEGIN IMMEDIATE');
process.stdout.write('locked\n');
// The listener also keeps the connection from being collected, and the lock with it.
process.stdin.on('data', () => db.close());
