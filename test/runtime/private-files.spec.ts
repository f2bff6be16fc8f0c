import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '#runtime/settings.js';
import { openStores } from '#runtime/stores.js';
import { startService } from '#apps/api/src/service.js';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the files of a service', () => {
  let folder: string;
  let dataDirectory: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signal-ledger-'));
    dataDirectory = join(folder, 'data');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const settings = () =>
    readSettings({ NODE_ENV: 'test', DATA_DIR: dataDirectory, PORT: '0', LOG_LEVEL: 'silent' });

  it('are readable by their owner alone, in a folder readable by its owner alone, under any umask of the process', async () => {
    const mask = process.umask(0);
    try {
      const service = await startService(settings());
      const modes = Object.fromEntries(
        readdirSync(dataDirectory).map((name) => [name, modeOf(join(dataDirectory, name))]),
      );
      await service.stop();
      expect(modes).toMatchObject({ 'events.db': '600', 'events.db-wal': '600', 'address.json': '600' });
      expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
      expect(modeOf(dataDirectory)).toBe('700');
    } finally {
      process.umask(mask);
    }
  });

  it('are reported when others can read them, and are left unchanged', async () => {
    await (await openStores(settings())).close();
    chmodSync(dataDirectory, 0o755);
    chmodSync(join(dataDirectory, 'events.db'), 0o640);
    const stores = await openStores(settings());
    await stores.close();
    expect(stores.notices).toEqual([
      `other users of this machine can read ${dataDirectory}: run chmod go= ${dataDirectory}`,
      `other users of this machine can read ${join(dataDirectory, 'events.db')}: run chmod go= ${join(dataDirectory, 'events.db')}`,
    ]);
    expect(modeOf(dataDirectory)).toBe('755');
  });
});
