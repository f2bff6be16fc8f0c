import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { copiesContract, type NetworkPlace } from '../contract/network-store/copies.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const folder = temporaryFolder('copy-network');

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
