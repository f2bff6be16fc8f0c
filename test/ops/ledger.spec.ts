import { creditsCapture } from '#ledger/commands/credits-capture.js';
import { creditsGrant } from '#ledger/commands/credits-grant.js';
import { creditsHold } from '#ledger/commands/credits-hold.js';
import { creditsRelease } from '#ledger/commands/credits-release.js';
import { ledgerAsOf } from '#ledger/commands/ledger-as-of.js';
import { ledgerStatement } from '#ledger/commands/ledger-statement.js';
import { ledgerVerify } from '#ledger/commands/ledger-verify.js';
import type { ViewOf } from '#kernel/ports/read-store.port.js';
import { testCall } from '#test/support/test-call.js';
import { runCommand } from '#ops/support/run-command.js';
import type { JsonObject } from '#kernel/values/json.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { runDeclaredOn, sharedLedgerHost, type LedgerHost } from './ledger-host.js';

const host = sharedLedgerHost();
const run = runDeclaredOn(host);
beforeAll(async () => {
  await host.openWorkspace(1);
  await run(creditsGrant, { workspace_id: 1, credits: 100, reason: 'contract' });
  host.setNow('2026-01-31T23:59:59.999Z');
  await run(creditsHold, { workspace_id: 1, key: 'a', credits: 12.5, product: 'export' });
  await run(creditsHold, { workspace_id: 1, key: 'b', credits: 20, product: 'export' });
  host.setNow('2026-02-01T00:00:00.000Z');
  await run(creditsCapture, { workspace_id: 1, key: 'a' });
  host.setNow('2026-02-10T12:00:00.000Z');
  await run(creditsRelease, { workspace_id: 1, key: 'b' });
});

const refused = (field: string) => ({ details: { errors: new Map([[field, [expect.any(String)]]]) } });

describe('ledger.statement', () => {
  it('OPS-20 gives a month with its opening, rows, totals and closing', async () => {
    const january = await run(ledgerStatement, { workspace_id: 1, from: '2026-01-01', to: '2026-02-01' });
    expect(january).toMatchObject({
      workspace_id: 1,
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      opening: 0,
      rows: [{ kind: 'grant' }, { kind: 'hold', credits: -12.5 }, { kind: 'hold', balance: 67.5 }],
      totals: { by_product: {} },
      closing: 67.5,
      revision: 3,
    });
    const february = await run(ledgerStatement, { workspace_id: 1, from: '2026-02-01T01:00:00+01:00' });
    expect(february).toMatchObject({
      to: null,
      opening: 67.5,
      rows: [
        { kind: 'capture', spend: 12.5 },
        { kind: 'release', credits: 20 },
      ],
      totals: { by_product: { export: 12.5 }, by_cause: { operator: 12.5 } },
      closing: 87.5,
      revision: 5,
    });
  });

  it('is the same again at the revision it names', async () => {
    const { revision } = await run(ledgerStatement, { workspace_id: 1, to: '2026-02-05' });
    const again = await run(ledgerStatement, { workspace_id: 1, to: '2026-02-05', at: Number(revision) });
    expect(again).toEqual(await run(ledgerStatement, { workspace_id: 1, to: '2026-02-05' }));
  });

  it('refuses an invalid time, a from after to, a future revision or moment, and an unknown workspace', async () => {
    const statement = (input: JsonObject) => run(ledgerStatement, { workspace_id: 1, ...input });
    await expect(statement({ from: '2026-02-30' })).rejects.toMatchObject(refused('from'));
    await expect(statement({ to: 'soon' })).rejects.toMatchObject(refused('to'));
    await expect(statement({ from: '2026-02-02', to: '2026-02-01' })).rejects.toMatchObject(refused('from'));
    await expect(statement({ at: 6 })).rejects.toMatchObject(refused('at'));
    await expect(statement({ at: '2026-02-10T12:00:00.001Z' })).rejects.toMatchObject(refused('at'));
    await expect(run(ledgerStatement, { workspace_id: 2 })).rejects.toThrow('There is no such workspace.');
  });
});

describe('ledger.as_of', () => {
  it('OPS-20 shows the ledger before a time and after a revision', async () => {
    const atMonthEnd = await run(ledgerAsOf, { workspace_id: 1, at: '2026-02-01' });
    expect(atMonthEnd).toMatchObject({
      at: '2026-02-01T00:00:00.000Z',
      revision: 3,
      balance: { balance: 67.5, held: 32.5 },
      open_holds: [{ key: 'a' }, { key: 'b', credits: 20, created_at: '2026-01-31T23:59:59.999Z' }],
      spend_by_product: {},
    });
    expect(await run(ledgerAsOf, { workspace_id: 1, at: '3' })).toMatchObject({
      revision: 3,
      open_holds: [{}, {}],
    });
    expect(await run(ledgerAsOf, { workspace_id: 1 })).toMatchObject({
      revision: 5,
      spend_by_product: { export: 12.5 },
    });
  });
});

describe('ledger.verify', () => {
  it('OPS-20 proves ledger and read models, and a statement printed earlier', async () => {
    const { revision, hash } = await run(ledgerStatement, { workspace_id: 1, to: '2026-02-01' });
    const proven = { ok: true, revision: 5, movements: 2, differences: [] };
    expect(
      await run(ledgerVerify, { workspace_id: 1, revision: Number(revision), hash: String(hash) }),
    ).toMatchObject(proven);
    const other = await run(ledgerVerify, { workspace_id: 1, revision: 3, hash: '0'.repeat(64) });
    expect(other).toMatchObject({ ok: false, differences: [{ revision: 3, what: 'hash printed earlier' }] });
  });

  it('names the revision whose read model row is wrong', async () => {
    const forged = {
      ...host.readModels,
      async getMany<Document>(view: ViewOf<Document>, keys: readonly string[]) {
        const rows = await host.readModels.getMany(view, keys);
        if (view.name !== creditMovements.name) return rows;
        return new Map([...rows].map(([key, row]) => [key, { ...row, credits: '1' }]));
      },
    };
    const { ok, differences } = Object(
      await runCommand({ ...host, readModels: forged }, ledgerVerify, { workspace_id: 1 }, testCall),
    );
    expect(ok).toBe(false);
    expect(differences[0]).toMatchObject({ revision: 2 });
  });

  it('OPS-20 finds no difference in a ledger that is charged while it is read', async () => {
    const WORKSPACE = 2;
    await host.openWorkspace(WORKSPACE);
    await run(creditsGrant, { workspace_id: WORKSPACE, credits: 100, reason: 'contract' });
    const charge = { workspace_id: WORKSPACE, credits: 1, product: 'export' };
    await run(creditsHold, { ...charge, key: 'x0' });
    let readings = 0;
    /** A run captures held credits and holds more each time the ledger is read. */
    const readStream: LedgerHost['eventStore']['readStream'] = async function* (...wanted) {
      if (wanted[1]?.from === 0n) {
        await run(creditsCapture, { workspace_id: WORKSPACE, key: `x${readings}` });
        readings += 1;
        await run(creditsHold, { ...charge, key: `x${readings}` });
      }
      yield* host.eventStore.readStream(...wanted);
    };
    const charged = { ...host, eventStore: { ...host.eventStore, readStream } };
    const asked = { workspace_id: WORKSPACE };
    expect(await runCommand(charged, ledgerVerify, asked, testCall)).toMatchObject({
      ok: true,
      revision: 2,
      movements: 1,
      differences: [],
    });
    expect(readings).toBe(1);
  });

  it('OPS-20 compares nothing while the read models are behind the ledger', async () => {
    const behind = { ...host, progress: { reached: () => Promise.resolve(false) } };
    await expect(runCommand(behind, ledgerVerify, { workspace_id: 1 }, testCall)).rejects.toThrow(
      'the read models do not show revision 5 of the ledger yet',
    );
  });
});
