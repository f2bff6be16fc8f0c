import { join } from 'node:path';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import { readStatement } from '#ledger/history/statement.js';
import { statementBounds, statementPage } from '#ledger/history/statement-page.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { medianMs, timed, type Bench } from './bench.js';
import { timeOf, writeLedger } from './ledger-history.js';
import { temporaryFolder } from './temporary-folder.js';

const MOVEMENTS = 100_000;
const SMALL = 1_000;
const WORKSPACE = 1;
const PAGE = 100;
const CALLS = 200;
const whole = { from: null, to: null };

export const statementBench: Bench = {
  name: 'statement',
  async run() {
    const folder = temporaryFolder();
    const events = await openSqliteEventStore({ path: join(folder, 'events.db') });
    const reads = await openSqliteReadStore({ path: join(folder, 'views.db') });
    await writeLedger(events, WORKSPACE, MOVEMENTS);
    await writeLedger(events, WORKSPACE + 1, SMALL);
    const ledgers = ledgerReader(events, reads);
    const head = BigInt(1 + 2 * MOVEMENTS);

    let entries = 0;
    const readMs = await timed(async () => {
      for await (const batch of events.readStream(`credits-${WORKSPACE}`)) entries += batch.length;
    });
    let statement = await readStatement(WORKSPACE, [], whole);
    const statementMs = await timed(async () => {
      statement = await readStatement(WORKSPACE, events.readStream(`credits-${WORKSPACE}`), whole);
    });
    const firstTimeMs = await timed(() => ledgers.sumsBefore(WORKSPACE, head + 1n));
    await ledgers.sumsBefore(WORKSPACE + 1, BigInt(2 + 2 * SMALL));

    let right = 0;
    /** The first page of a period that begins in the middle: bounds, summary and rows, as the API answers it. */
    const page = async (workspaceId: number, movements: number): Promise<void> => {
      const middle = Math.floor(movements / 2);
      const period = { from: timeOf(middle), to: null };
      const last = await ledgers.head(workspaceId);
      if (last === null) return;
      const bounds = await statementBounds(ledgers, workspaceId, period, last.revision, last);
      const place = { start: bounds.first, limit: PAGE };
      const { summary, rows } = await statementPage(ledgers, workspaceId, period, bounds, place);
      if (summary.opening === movements - middle && summary.closing === 0 && rows.length === PAGE) right += 1;
    };
    const longMs = await medianMs(CALLS, () => page(WORKSPACE, MOVEMENTS));
    const shortMs = await medianMs(CALLS, () => page(WORKSPACE + 1, SMALL));
    await reads.close();
    await events.close();
    const last = statement.rows.at(-1);
    return [
      {
        what: `whole statement of ${MOVEMENTS.toLocaleString('en')} movements`,
        measured: statementMs,
        unit: 'ms',
        beside: `only reading its ${entries.toLocaleString('en')} entries`,
        besideValue: readMs,
        goal: { atMost: 4 },
        proof: `${statement.rows.length} of ${1 + 2 * MOVEMENTS} rows; closing ${statement.closing}, last balance ${last?.balance}, spent ${statement.totals.byPayer['workspace']}`,
      },
      {
        what: `first page of ${PAGE} in the middle of ${MOVEMENTS.toLocaleString('en')} movements`,
        measured: longMs,
        unit: 'ms',
        beside: `the same of ${SMALL.toLocaleString('en')} movements`,
        besideValue: shortMs,
        goal: { atMost: 2 },
        proof: `${right} of ${2 * (CALLS + CALLS / 10)} pages have opening, closing and rows right; marks made once in ${Math.round(firstTimeMs)} ms`,
      },
    ];
  },
};
