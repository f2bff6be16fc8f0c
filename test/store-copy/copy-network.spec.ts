import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { copiesContract, type NetworkPlace } from '../contract/network-store/copies.js';

const folder = mkdtempSync(join(tmpdir(), 'copy-network-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function newFile(): NetworkPlace {
  files += 1;
  const path = join(folder, `network-${files}.db`);
  return {
    place: { kind: 'sqlite', path },
    open: () => openSqliteNetwork({ path, networkBaseUrl: 'https://n.example' }),
    remove: async () => {
      for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    },
  };
}

copiesContract('from SQLite to SQLite', { from: newFile, to: newFile });
