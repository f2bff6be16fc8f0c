import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readiness } from '#runtime/readiness.js';
import { openServiceHost, type ServiceHost } from '#runtime/service-host.js';
import { readSettings } from '#runtime/settings.js';
import { soon } from '#test/support/event-stores.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const ABOUT_LOGS = /its write-ahead log is not maintained/;

describe('a write-ahead log that the service cannot maintain', () => {
  const dataDirectory = temporaryFolder('log-upkeep');
  it('is logged once, is named as degraded while checks fail, and ends nothing', async () => {
    const logged: string[] = [];
    const onTrouble = (what: string, error: unknown): void =>
      void logged.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    const host: ServiceHost = await openServiceHost(readSettings({ DATA_DIR: dataDirectory }), onTrouble);
    const degraded = async (): Promise<readonly string[]> =>
      (await readiness(host).report()).degraded.filter((line) => ABOUT_LOGS.test(line));
    const untilDegraded = async (parts: number): Promise<void> => {
      while ((await degraded()).length !== parts) await delay(20);
    };
    expect(await degraded()).toEqual([]);

    const logs = ['events.db-wal', 'network.db-wal', 'views.db-wal'].map((name) => join(dataDirectory, name));
    for (const log of logs) {
      renameSync(log, `${log}-aside`);
      // A link to itself exists and cannot be followed.
      symlinkSync(log, log);
    }
    await soon('the failed looks', untilDegraded(3));
    expect(await degraded()).toEqual(
      expect.arrayContaining(
        ['event store', 'read store', 'network store'].map((store) =>
          expect.stringMatching(new RegExp(`^${store}: ${ABOUT_LOGS.source}: ELOOP`)),
        ),
      ),
    );
    for (const log of logs) {
      rmSync(log);
      renameSync(`${log}-aside`, log);
    }
    await soon('looks that succeed', untilDegraded(0));
    expect(logged.filter((line) => ABOUT_LOGS.test(line))).toHaveLength(3);
    await host.stop();
  });
});
