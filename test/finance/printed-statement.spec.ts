import { creditsCapture } from '#ledger/commands/credits-capture.js';
import { creditsGrant } from '#ledger/commands/credits-grant.js';
import { creditsHold } from '#ledger/commands/credits-hold.js';
import { creditsRelease } from '#ledger/commands/credits-release.js';
import { ledgerCloseMonth } from '#ledger/commands/ledger-close-month.js';
import { ledgerStatement } from '#ledger/commands/ledger-statement.js';
import { ledgerVerify } from '#ledger/commands/ledger-verify.js';
import { runDeclaredOn, sharedLedgerHost } from '../ops/ledger-host.js';

const host = sharedLedgerHost();
const run = runDeclaredOn(host);
const OPENED = { workspace_id: 1 };
const JANUARY = { ...OPENED, from: '2026-01-01', to: '2026-02-01' };

/** What `ledger verify --file` answers for a file with this text. */
async function verified(text: string, given: object = {}): Promise<object> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  const answer = await ledgerVerify.onFile?.(
    chunks(),
    given,
    () => undefined,
    (work) => work(host),
  );
  return Object(answer);
}

/** The differences of a printed statement after a change of its text. */
async function differencesOf(statement: object, from: string, to: string): Promise<unknown> {
  const text = JSON.stringify(statement);
  expect(text).toContain(from);
  const answer: { readonly ok?: boolean; readonly differences?: readonly object[] } = await verified(
    text.replace(from, to),
  );
  expect(answer.ok).toBe(false);
  return answer.differences;
}

describe('ledger verify --file of a printed statement', () => {
  beforeAll(async () => {
    await host.openWorkspace(1);
    await run(creditsGrant, { ...OPENED, credits: 100, reason: 'contract' });
    const lot = { credits: 20, expires_at: '2026-02-10', promotional: true };
    await run(creditsGrant, { ...OPENED, ...lot, reason: 'welcome' });
    for (const [key, credits] of [
      ['a', 12.5],
      ['b', 30],
    ] as const)
      await run(creditsHold, { ...OPENED, key, credits, product: 'export' });
    await run(creditsCapture, { ...OPENED, key: 'a' });
    host.setNow('2026-02-20T10:00:00.000Z');
    await run(creditsRelease, { ...OPENED, key: 'b' });
    await run(ledgerCloseMonth, { ...OPENED, month: '2026-01' });
  });

  it('accepts every statement as it was printed, whole, in parts, with options, and before its month was closed', async () => {
    for (const asked of [
      OPENED,
      JANUARY,
      { ...OPENED, from: '2026-02-01' },
      { ...OPENED, to: '2026-02-01', at: 4 },
      { ...OPENED, from: '2025-01-01', to: '2025-02-01' },
      { ...JANUARY, with: 'actor', group_by: 'account,month' } as const,
      { ...JANUARY, at: 5 },
      { ...OPENED, rows: 0 },
      { ...OPENED, rows: 2 },
      { ...OPENED, rows: 2, rows_from: 4, with: 'actor' } as const,
      { ...JANUARY, rows: 1_000 },
    ])
      expect([asked, await verified(JSON.stringify(await run(ledgerStatement, asked)))]).toMatchObject([
        asked,
        { ok: true, differences: [] },
      ]);
  });

  it('names the row and the member of a changed figure, with the computed and the printed one', async () => {
    const january = await run(ledgerStatement, JANUARY);
    expect(await differencesOf(january, '"balance":120', '"balance":121')).toEqual([
      { revision: 2, what: 'balance of the row', expected: '120', found: '121' },
    ]);
    expect(await differencesOf(january, '"spend":12.5', '"spend":2.5')).toEqual([
      { revision: 5, what: 'spend of the row', expected: '12.5', found: '2.5' },
    ]);
    expect(await differencesOf(january, '"reason":"contract"', '"reason":"gift"')).toMatchObject([
      { revision: 1, what: 'cause of the row' },
    ]);
  });

  it('names a changed sum, lot, group or seal', async () => {
    const january = await run(ledgerStatement, { ...JANUARY, group_by: 'month' });
    const sums = [
      ['"opening":0', '"opening":1', 'opening'],
      ['"closing":77.5', '"closing":7.5', 'closing'],
      ['"by_product":{"export":12.5}', '"by_product":{"export":2.5}', 'totals'],
      ['"expired":0', '"expired":1', 'expired'],
      ['"free":0', '"free":1', 'lots'],
      ['"movements":1', '"movements":2', 'groups'],
      ['"month":"2026-01"', '"month":"2026-02"', 'seal'],
    ] as const;
    for (const [from, to, what] of sums)
      expect(await differencesOf(january, from, to)).toMatchObject([
        { revision: 5, what: `${what} of the statement` },
      ]);
  });

  it('names a row that was left out or added, also in a part of a statement', async () => {
    const whole = await run(ledgerStatement, OPENED);
    const rows = [...Object.values(Object(whole['rows']))];
    const text = (index: number): string => `${JSON.stringify(rows[index])},`;
    expect(await differencesOf(whole, text(1), '')).toMatchObject([{ revision: 2, what: 'row' }]);
    expect(await differencesOf(whole, text(1), text(1) + text(1))).toMatchObject([
      { revision: 3, what: 'row' },
    ]);
    const part = await run(ledgerStatement, { ...OPENED, rows: 3 });
    expect(await differencesOf(part, text(1), '')).toMatchObject([{ revision: 2, what: 'row' }]);
    expect(await differencesOf(part, '"next":4', '"next":null')).toMatchObject([
      { what: 'next of the statement', expected: '4', found: 'null' },
    ]);
  });

  it('compares a head that was printed elsewhere, too', async () => {
    const text = JSON.stringify(await run(ledgerStatement, JANUARY));
    const { hash } = Object(JSON.parse(text));
    expect(await verified(text, { revision: 5, hash })).toMatchObject({ ok: true });
    expect(await verified(text, { revision: 5, hash: '0'.repeat(64) })).toMatchObject({ ok: false });
  });
});
