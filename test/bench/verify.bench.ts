import { join } from 'node:path';
import { verifyLedger } from '#ledger/history/verify.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { timed, type Bench } from './bench.js';
import { writeLedger } from './ledger-history.js';
import { temporaryFolder } from './temporary-folder.js';

const MOVEMENTS = 499_999;
const ENTRIES = 2 + 2 * MOVEMENTS;
const MIB = 1024 * 1024;

export const verifyBench: Bench = {
  name: 'verify',
  async run() {
    const folder = temporaryFolder();
    const path = join(folder, 'events.db');
    const events = await openSqliteEventStore({ path });
    await writeLedger(events, 1, MOVEMENTS);

    let entries = 0;
    let peak = process.memoryUsage().rss;
    const before = peak;
    async function* watched(): AsyncGenerator<readonly StoredEvent[]> {
      for await (const batch of events.readStream('credits-1')) {
        entries += batch.length;
        if (entries % 5_000 < batch.length) peak = Math.max(peak, process.memoryUsage.rss());
        yield batch;
      }
    }
    const readMs = await timed(async () => {
      for await (const batch of events.readStream('credits-1')) entries += batch.length;
    });
    entries = 0;
    let verification = await verifyLedger([], null);
    const verifyMs = await timed(async () => {
      verification = await verifyLedger(watched(), null);
    });
    await events.close();
    const { ok, revision, movements } = verification;
    return [
      {
        what: `verify of ${ENTRIES.toLocaleString('en')} entries: chain, sums and rules`,
        measured: (entries / verifyMs) * 1_000,
        unit: 'entries/s',
        beside: 'only reading them',
        besideValue: (ENTRIES / readMs) * 1_000,
        goal: { atLeast: 0.2 },
        proof: `ok ${ok}, revision ${revision}, ${movements} movements; memory ${Math.round(peak / MIB)} MiB at its peak, ${Math.round(before / MIB)} MiB before`,
      },
    ];
  },
};
