import { creditAccount } from '#ledger/domain/credit-account.js';
import { sealEntry } from '#ledger/domain/seal.js';
import { verifyLedger } from '#ledger/history/verify.js';
import { creditsAdjust } from '#ledger/commands/credits-adjust.js';
import { creditsCapture } from '#ledger/commands/credits-capture.js';
import { creditsGrant } from '#ledger/commands/credits-grant.js';
import { creditsHold } from '#ledger/commands/credits-hold.js';
import { ledgerCloseMonth } from '#ledger/commands/ledger-close-month.js';
import { ledgerStatement } from '#ledger/commands/ledger-statement.js';
import { ledgerVerify } from '#ledger/commands/ledger-verify.js';
import { testCall } from '#test/support/test-call.js';
import { runCommand } from '#ops/support/run-command.js';
import { runDeclaredOn, sharedLedgerHost } from './ledger-host.js';

const host = sharedLedgerHost();
const run = runDeclaredOn(host);
beforeAll(async () => {
  await host.openWorkspace(1);
  await run(creditsGrant, { workspace_id: 1, credits: 100, reason: 'contract' });
  await run(creditsHold, { workspace_id: 1, key: 'a', credits: 12.5, product: 'export' });
});

const refused = (code: string) => ({
  declaration: expect.objectContaining({ code }),
  details: { errors: new Map([['month', [expect.any(String)]]]) },
});
const january = { workspace_id: 1, month: '2026-01' };
const ofJanuary = { workspace_id: 1, from: '2026-01-01', to: '2026-02-01' };

describe('ledger.close_month', () => {
  it('refuses a month that is not over, naming it, and writes nothing', async () => {
    host.setNow('2026-01-31T23:59:59.999Z');
    const written = (await host.ledger(1)).length;
    await expect(run(ledgerCloseMonth, january)).rejects.toMatchObject(refused('month-not-over'));
    expect(await host.ledger(1)).toHaveLength(written);
  });

  it('seals closing, revision and hash of a month at the first moment after it', async () => {
    host.setNow('2026-02-01T00:00:00.000Z');
    const statement = await run(ledgerStatement, ofJanuary);
    expect(statement).not.toHaveProperty('seal');
    const sealed = await run(ledgerCloseMonth, january);
    expect(sealed).toEqual({
      ...january,
      closing: 87.5,
      revision: 2,
      hash: statement['hash'],
      replayed: false,
    });
    expect((await host.ledger(1)).at(-1)).toMatchObject({
      type: 'PeriodSealed',
      data: { month: '2026-01', closing: '87500000', revision: 2, hash: statement['hash'] },
      metadata: { recordedAt: '2026-02-01T00:00:00.000Z' },
    });
  });

  it('gives the same answer again, after any later change, and corrections go to the open month', async () => {
    const before = await run(ledgerStatement, ofJanuary);
    await run(creditsCapture, { workspace_id: 1, key: 'a' });
    await run(creditsAdjust, { workspace_id: 1, credits: 2.5, reason: 'too much', corrects: 2 });
    expect(await run(ledgerCloseMonth, january)).toMatchObject({
      closing: 87.5,
      revision: 2,
      replayed: true,
    });
    const { closing, revision, hash } = before;
    expect(await run(ledgerStatement, ofJanuary)).toEqual(before);
    expect(before['seal']).toEqual({ month: '2026-01', closing, revision, hash });
    const february = await run(ledgerStatement, { workspace_id: 1, from: '2026-02-01' });
    expect(february).toMatchObject({ opening: closing, closing: 90 });
    expect(february).not.toHaveProperty('seal');
  });

  it('gives the same answer again while the clock is behind the ledger', async () => {
    host.setNow('2026-01-31T23:59:59.999Z');
    expect(await run(ledgerCloseMonth, january)).toMatchObject({ revision: 2, replayed: true });
    const february = { workspace_id: 1, month: '2026-02' };
    await expect(run(ledgerCloseMonth, february)).rejects.toMatchObject(refused('month-not-over'));
    host.setNow('2026-02-01T00:00:00.000Z');
  });

  it('P9 does not show on a statement as of a revision before it was sealed', async () => {
    expect(await run(ledgerStatement, { ...ofJanuary, at: 2 })).not.toHaveProperty('seal');
  });

  it('refuses a sealed month under another hash, naming the month', async () => {
    const written = (await host.ledger(1)).length;
    const other = { ...january, hash: '0'.repeat(64) };
    await expect(run(ledgerCloseMonth, other)).rejects.toMatchObject(refused('month-sealed-otherwise'));
    expect(await host.ledger(1)).toHaveLength(written);
  });

  it('refuses a month before the first entry, an invalid month and an unknown workspace', async () => {
    const early = run(ledgerCloseMonth, { workspace_id: 1, month: '2025-12' });
    await expect(early).rejects.toMatchObject(refused('month-without-entries'));
    for (const month of ['2026-13', '2026-1', 'January', '2026-00']) {
      expect(() => runCommand(host, ledgerCloseMonth, { workspace_id: 1, month }, testCall)).toThrow(
        expect.objectContaining({ details: { errors: new Map([['month', [expect.any(String)]]]) } }),
      );
    }
    const unknown = run(ledgerCloseMonth, { workspace_id: 99, month: '2026-01' });
    await expect(unknown).rejects.toThrow('There is no such workspace.');
  });

  it('never lets an entry into a sealed month, even from a process whose clock is behind', async () => {
    host.setNow('2026-01-15T00:00:00.000Z');
    await run(creditsGrant, { workspace_id: 1, credits: 1, reason: 'late' });
    const last = (await host.ledger(1)).at(-1);
    expect(last?.metadata['recordedAt']).toBe('2026-02-01T00:00:00.000Z');
    host.setNow('2026-03-01T00:00:00.000Z');
    expect(await run(ledgerStatement, ofJanuary)).toMatchObject({ closing: 87.5, revision: 2 });
  });

  it('survives a restart, and seals a month without entries like the one before', async () => {
    host.setNow('2026-05-01T00:00:00.000Z');
    const april = await run(ledgerCloseMonth, { workspace_id: 1, month: '2026-04' });
    expect(april).toMatchObject({ closing: 91 });
    const restarted = await host.anotherCommandPath();
    const sealed = await restarted.load(creditAccount, '1', ({ sealedMonths }) => [...sealedMonths.keys()]);
    expect(sealed).toEqual(['2026-01', '2026-04']);
  });
});

describe('ledger.verify of sealed months', () => {
  it('proves every seal', async () => {
    expect(await run(ledgerVerify, { workspace_id: 1 })).toMatchObject({ ok: true, differences: [] });
  });

  it('names the revision of a seal that differs from the ledger', async () => {
    const ledger = await host.ledger(1);
    const place = ledger.findIndex(({ type }) => type === 'PeriodSealed');
    for (const change of [{ closing: '1' }, { revision: 1 }, { hash: 'f'.repeat(64) }]) {
      let hash = '';
      const forged = ledger.map((entry, index) => {
        const changed = index === place ? { ...entry, data: { ...entry.data, ...change } } : entry;
        hash = sealEntry(hash, changed);
        return { ...changed, metadata: { ...changed.metadata, hash } };
      });
      const { differences } = await verifyLedger([forged], null);
      expect(differences[0]).toMatchObject({ revision: place, what: 'seal of 2026-01' });
    }
  });
});
