import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { pause } from '#kernel/commands/retry.js';
import { busyLedger } from '../support/busy-ledger.js';
import { startTestService } from '../support/service.js';
import type { Bench } from './bench.js';
import { writeLedger } from './ledger-history.js';
import { temporaryFolder } from './temporary-folder.js';
import { runCli } from '../support/cli.js';

const CLIENTS = 50;
const MOVEMENTS_BEFORE = 100_000;
const OLD_WORKSPACE = 900;
const UNDISTURBED_MS = 8_000;
const BACKUPS = 3;
const WARM_UP_MS = 2_000;

/** Durable writes a second during this work. */
async function rate(written: () => Promise<number>, meanwhile: () => Promise<unknown>): Promise<number> {
  const [before, startedAt] = [await written(), performance.now()];
  await meanwhile();
  return (1_000 * ((await written()) - before)) / (performance.now() - startedAt);
}

/** The cost of a backup by the command line for concurrent writers, and its content. */
export const backupBench: Bench = {
  name: 'backup',
  async run() {
    const folder = temporaryFolder();
    const path = join(folder, 'events.db');
    const history = await openSqliteEventStore({ path });
    await writeLedger(history, OLD_WORKSPACE, MOVEMENTS_BEFORE);
    await history.close();
    const service = await startTestService({ EVENT_STORE_URL: `sqlite:${path}` }, folder);
    const { id } = await service.workspace({ credits: 1_000_000 });
    const writers = busyLedger(service.service.opsUrl ?? '', service.token, id, CLIENTS);
    await pause(WARM_UP_MS);
    const undisturbed = await rate(writers.written, () => pause(UNDISTURBED_MS));
    let faults = 0;
    let events = 0;
    const beside = await rate(writers.written, async () => {
      for (let made = 0; made < BACKUPS; made += 1) {
        const file = join(folder, `backup-${made}.db`);
        const words = ['store', 'backup', '--from', `sqlite:${path}`, '--to', file, '--json'];
        const child = runCli(words);
        if ((await child.ended) !== 0) throw new Error(child.errors());
        const facts = JSON.parse(child.lines().join());
        faults += facts.faults.length;
        events += facts.events;
        rmSync(file);
      }
    });
    await writers.stop();
    await service.service.stop();
    return [
      {
        what: `durable writes beside backups, ${CLIENTS} clients`,
        measured: beside,
        unit: '/s',
        beside: 'undisturbed',
        besideValue: undisturbed,
        goal: null,
        proof: `${BACKUPS} backups of ${Math.round(events / BACKUPS)} events, ${faults} faults`,
      },
    ];
  },
};
