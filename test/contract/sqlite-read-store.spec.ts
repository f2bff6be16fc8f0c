import { readStoreContract } from './read-store.contract.js';
import { makeSqlitePlace } from './sqlite-read-store.fixture.js';

readStoreContract('SQLite', makeSqlitePlace);
