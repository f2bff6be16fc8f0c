import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readStatement, type StatementRange } from '#ledger/history/statement.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { completedRun, keywordAgent, observedPerson, observedPost } from '#test/support/observed-network.js';
import { startTestService } from '#test/support/service.js';
import { randomLedger } from './random-ledger.js';
import { exported, sampleLedger } from './sample-ledger.js';
import { yearOf } from '../simulation/year-of-lots.js';
import { workedMonth } from './worked-month.js';

const found = spawnSync('hledger', ['--version'], { encoding: 'utf8' });
const isInstalled = found.status === 0;
if (!isInstalled) diagnostic('hledger is not installed (apt-get install hledger): it recomputes nothing');

const folder = temporaryFolder('hledger');

/** Runs hledger on a journal; returns its standard output, or throws its error message. */
function hledger(journal: string, ...command: readonly string[]): string {
  const file = join(folder, 'export.journal');
  writeFileSync(file, journal);
  const { status, stdout, stderr } = spawnSync('hledger', ['-f', file, ...command], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Balances in micro-credits by account, as hledger computes them. */
function balancesOf(journal: string): ReadonlyMap<string, number> {
  const csv = hledger(journal, 'bal', '--flat', '--no-total', '--empty', '-O', 'csv');
  const lines = csv.trim().split('\n').slice(1);
  return new Map(
    lines.map((line) => {
      const [, account = '', amount = ''] = /^"(.*)","(.*?)(?: CREDIT)?"$/.exec(line) ?? [];
      return [account, Math.round(Number(amount) * 1e6)];
    }),
  );
}

async function expectAgreement(ledger: readonly StoredEvent[], range: StatementRange): Promise<void> {
  const journal = await exported('journal', ledger, range);
  // Strict: every account and commodity is declared, every transaction balances, every assertion holds.
  hledger(journal, 'check', '--strict');
  const statement = await readStatement(1, [ledger], range);
  const balances = balancesOf(journal);
  expect(balances.get('Assets:Available') ?? 0).toBe(Math.round(statement.closing * 1e6));
  const spent = (prefix: string): number =>
    [...balances].reduce((sum, [account, micros]) => (account.startsWith(prefix) ? sum + micros : sum), 0);
  const { byPayer } = statement.totals;
  expect(spent('Expenses:Consumed:')).toBe(Math.round((byPayer['workspace'] ?? 0) * 1e6));
  expect(spent('Partner:7:Receivable:')).toBe(Math.round((byPayer['partner:7'] ?? 0) * 1e6));
  expect([...balances.values()].reduce((sum, micros) => sum + micros, 0)).toBe(0);
}

(isInstalled ? describe : describe.skip)('the export as a journal', () => {
  it('is accepted by hledger, which computes our closing balance, in total and by month', async () => {
    await expectAgreement(sampleLedger, { from: null, to: null });
    await expectAgreement(sampleLedger, { from: null, to: '2026-02-01T00:00:00.000Z' });
    await expectAgreement(sampleLedger, { from: '2026-02-01T00:00:00.000Z', to: null });
    await expectAgreement(sampleLedger, { from: '2027-01-01T00:00:00.000Z', to: null });
    await expectAgreement(sampleLedger.slice(0, 1), { from: null, to: null });
    const balances = [...balancesOf(await exported('journal'))].toSorted(([left], [right]) =>
      left < right ? -1 : 1,
    );
    expect(balances).toEqual([
      ['Assets:Available', 37_499_999],
      ['Assets:Held', 0],
      ['Equity:Adjusted', 2_500_000],
      ['Equity:Granted', -100_000_000],
      ['Equity:Withdrawn', 50_000_000],
      [expect.stringMatching(/^Expenses:Consumed:%3DHYPERLINK%28/), 1],
      ['Expenses:Consumed:keyword_match', 10_000_000],
      ['Partner:7:Cover', -8_000_000],
      ['Partner:7:Held', 0],
      ['Partner:7:Receivable:keyword_match', 8_000_000],
    ]);
  });

  it('keeps the day of every entry, with any text in reasons and keys', async () => {
    const days = hledger(await exported('journal'), 'reg', 'Equity', '-O', 'csv')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[1]);
    expect(days).toEqual(['"2026-01-02"', '"2026-02-03"', '"2026-02-04"']);
  });

  it('is refused by hledger if one of its amounts is changed', async () => {
    const journal = await exported('journal');
    const cheaper = journal
      .replace('Assets:Held  10.000000 CREDIT', 'Assets:Held  9.000000 CREDIT')
      .replace('Assets:Available  -10.000000 CREDIT', 'Assets:Available  -9.000000 CREDIT');
    expect(cheaper).not.toBe(journal);
    expect(() => hledger(cheaper, 'check')).toThrow(/balance assertion/i);
  });

  it('of any ledger and any period is accepted and computes our closing', async () => {
    await fc.assert(
      fc.asyncProperty(randomLedger(5), fc.nat(), async (ledger, place) => {
        const from = ledger[place % ledger.length]?.metadata['recordedAt'] ?? null;
        await expectAgreement(ledger, { from, to: null });
      }),
      { numRuns: 15 },
    );
  });

  it('LOT-04 P18 P19 of a year of expiring lots is accepted, and computes every lot like the model', async () => {
    const { stored, model } = await yearOf(11);
    const journal = await exported('journal', stored, { from: null, to: null });
    hledger(journal, 'check', '--strict');
    const balances = balancesOf(journal);
    const lots = [...model.lots.values()].filter(({ id }) => id > 0);
    expect(lots.length).toBeGreaterThan(250);
    for (const { id, free, held } of lots) {
      const balancesOfLot = ['Available', 'Held'].map((of) => balances.get(`Assets:${of}:Lot-${id}`) ?? 0);
      expect([id, ...balancesOfLot]).toEqual([id, free, held]);
    }
    const available = [...balances].filter(([account]) => account.startsWith('Assets:Available'));
    expect(available.reduce((sum, [, micros]) => sum + micros, 0)).toBe(model.available);
    expect([...balances.values()].reduce((sum, micros) => sum + micros, 0)).toBe(0);
  }, 60_000);

  it('of the worked month is accepted, including the sealed month, and computes its closing', async () => {
    const { journal, february, atMonthEnd } = await workedMonth();
    hledger(journal, 'check', '--strict');
    expect(balancesOf(journal).get('Assets:Available')).toBe(february.closing * 1e6);
    const january = hledger(journal, 'bal', '--flat', '-N', '-e', '2026-02-01', 'Assets:Held');
    expect(january.trim()).toBe(`${atMonthEnd.balance.held.toFixed(6)} CREDIT  Assets:Held`);
  });

  it('of the ledger of a real signal run is accepted and computes the balance of the API', async () => {
    await using service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: '2026-01-05T10:00:00.000Z' });
    await service.ingest([
      observedPerson('ana'),
      ...['1', '2', '3'].map((name) => observedPost(name, 'ana', 'a CRM', '2026-01-04T09:00:00Z')),
    ]);
    const workspace = await service.workspace({ credits: '125.5' });
    await completedRun(service, workspace, await keywordAgent(workspace, 'crm'));
    const asked = { workspace_id: workspace.id, format: 'journal' };
    const { status, headers, body: journal } = await service.ops('ledger.export', asked);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    hledger(journal, 'check', '--strict');
    const { data } = (await workspace.call('GET /api/v3/credits/balance')).body;
    expect(data).toMatchObject({ balance: 95.5, captured: 30 });
    expect([...balancesOf(journal)]).toEqual([
      ['Assets:Available', 95_500_000],
      ['Assets:Held', 0],
      ['Equity:Granted', -125_500_000],
      ['Expenses:Consumed:keyword_match', 30_000_000],
    ]);
  });
});
