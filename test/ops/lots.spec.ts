import { creditsAdjust } from '#ledger/commands/credits-adjust.js';
import { creditsCapture } from '#ledger/commands/credits-capture.js';
import { creditsGrant } from '#ledger/commands/credits-grant.js';
import { creditsHold } from '#ledger/commands/credits-hold.js';
import { creditsRelease } from '#ledger/commands/credits-release.js';
import { creditsWithdraw } from '#ledger/commands/credits-withdraw.js';
import { holdList } from '#ledger/commands/hold-list.js';
import { ledgerAsOf } from '#ledger/commands/ledger-as-of.js';
import { ledgerCloseMonth } from '#ledger/commands/ledger-close-month.js';
import { ledgerExport } from '#ledger/commands/ledger-export.js';
import { ledgerStatement } from '#ledger/commands/ledger-statement.js';
import { ledgerVerify } from '#ledger/commands/ledger-verify.js';
import { testCall } from '#test/support/test-call.js';
import { runCommand, runExport } from '#ops/support/run-command.js';
import { recordLotExpiries } from '#ledger/charging/record-expiries.process.js';
import { dueItems } from '#process-engine/to-do.js';
import { creditBalances, overBy } from '#projections/ledger/credit-balances/credit-balances.projection.js';
import { fieldsOf, runOn, sharedLedgerHost } from './ledger-host.js';
import { refusalOf } from '#test/support/event-stores.js';

const MARCH = '2026-03-01T00:00:00.000Z';
const AFTER = '2026-03-02T09:00:00.000Z';
const APRIL = '2026-04-01T00:00:00.000Z';

const host = sharedLedgerHost();
const run = runOn(host);
let workspaces = 0;

async function exported(
  workspaceId: number,
  format: 'csv' | 'jsonl' | 'journal',
  at?: string,
): Promise<string> {
  let text = '';
  const input = { workspace_id: workspaceId, format, ...(at === undefined ? {} : { at }) };
  for await (const piece of await runExport(host, ledgerExport, input, testCall.operator).text) text += piece;
  return text;
}

/** Types of the entries, with the recorded time if it differs from the time of writing. */
const entries = async (workspaceId: number): Promise<readonly string[]> =>
  (await host.ledger(workspaceId)).map(({ type, metadata }) =>
    type === 'LotExpired' ? `${type} at ${metadata['recordedAt']} by ${metadata['actorKind']}` : type,
  );

/** A workspace on the fifth of January with 10 credits without expiry and 5 until March, of which 2 are on hold. */
async function withLot(): Promise<{ readonly workspaceId: number; readonly lot: number }> {
  workspaces += 1;
  const workspaceId = workspaces;
  host.setNow('2026-01-05T10:00:00.000Z');
  await host.openWorkspace(workspaceId);
  await run(creditsGrant, { workspace_id: workspaceId, credits: 10, reason: 'contract' });
  await run(creditsGrant, {
    workspace_id: workspaceId,
    credits: 5,
    reason: 'welcome',
    expires_at: '2026-03-01',
    promotional: true,
  });
  const [, , granted] = await host.ledger(workspaceId);
  await run(creditsHold, { workspace_id: workspaceId, key: 'k', credits: 2, product: 'p' });
  return { workspaceId, lot: Number(granted?.data['movementId']) };
}

const EXPIRED = `LotExpired at ${MARCH} by system`;
const OPENED = ['BillingModeSet', 'CreditsGranted', 'LotGranted', 'CreditsHeld'];

describe('credits.grant with terms', () => {
  it('LOT-04 LOT-07 is in the balance with what expires, and after its end with what has expired', async () => {
    const { workspaceId } = await withLot();
    expect(await run(ledgerAsOf, { workspace_id: workspaceId })).toMatchObject({
      balance: {
        balance: 13,
        held: 2,
        granted: 15,
        expired: 0,
        expiring: [{ credits: 3, expires_at: MARCH }],
      },
      lots: [{ free: 3, held: 2, granted: 5, expires_at: MARCH, priority: 50, promotional: true }],
    });
    host.setNow(AFTER);
    const answer = await run(creditsGrant, { workspace_id: workspaceId, credits: 1, reason: 'more' });
    expect(answer).toMatchObject({
      balance: { balance: 11, held: 2, granted: 13, expired: 3, expiring: [] },
    });
    expect(await entries(workspaceId)).toEqual([...OPENED, EXPIRED, 'CreditsGranted']);
  });

  it('LOT-04 a workspace without lots answers as before', async () => {
    workspaces += 1;
    await host.openWorkspace(workspaces);
    const answer = await run(creditsGrant, {
      workspace_id: workspaces,
      credits: 1,
      reason: 'r',
      priority: 50,
    });
    expect(Object.keys((answer as { balance: object }).balance)).toEqual([
      'balance',
      'held',
      'captured',
      'granted',
      'is_billed',
      'billing',
      'updated_at',
    ]);
    expect(await exported(workspaces, 'csv')).not.toContain('lots');
    expect(await entries(workspaces)).toEqual(['BillingModeSet', 'CreditsGranted']);
  });

  it('refuses an end that is no time, and one in the past, naming the field', async () => {
    const { workspaceId } = await withLot();
    for (const expires_at of ['tomorrow', '2026-01-05T10:00:00Z']) {
      const asked = run(creditsGrant, { workspace_id: workspaceId, credits: 1, reason: 'r', expires_at });
      expect(fieldsOf(await refusalOf(asked))).toEqual(['expires_at']);
    }
    expect(await entries(workspaceId)).toEqual(OPENED);
  });
});

describe('an expiry that is not recorded yet', () => {
  it('LOT-01 is in the numbers of a refusal, and not recorded by it', async () => {
    const { workspaceId } = await withLot();
    host.setNow(MARCH);
    const asked = run(creditsHold, { workspace_id: workspaceId, key: 'big', credits: 11, product: 'p' });
    expect((await refusalOf(asked)).details.members).toEqual({
      credits_required: 11,
      credits_available: 10,
      credits_held: 2,
    });
    expect(await entries(workspaceId)).toEqual(OPENED);
  });

  it('LOT-02 is subtracted from balances and recorded by the process, once', async () => {
    const { workspaceId } = await withLot();
    host.setNow(AFTER);
    const document = await host.readModels.get(creditBalances, String(workspaceId));
    if (document === null) throw new Error('there is a balance');
    expect(overBy(document, AFTER)).toBe(3_000_000n);
    expect(overBy(document, '2026-02-28T23:59:59.999Z')).toBe(0n);
    const due = await dueItems(host.readModels, recordLotExpiries.toDo, host.clock.now(), 10, workspaceId);
    expect(due).toHaveLength(1);
    const processHost = host as unknown as Parameters<typeof recordLotExpiries.act>[0];
    for (const item of [...due, ...due])
      await recordLotExpiries.act(processHost, item, new AbortController().signal);
    expect(await entries(workspaceId)).toEqual([...OPENED, EXPIRED]);
    const after = await host.readModels.get(creditBalances, String(workspaceId));
    expect(after).toMatchObject({ granted: '12000000', expired: '3000000', expiring: {}, expiresNext: null });
  });

  it.each([
    ['as-of', (workspace_id: number) => run(ledgerAsOf, { workspace_id })],
    ['a statement', (workspace_id: number) => run(ledgerStatement, { workspace_id })],
    ['an export', (workspace_id: number) => exported(workspace_id, 'jsonl')],
    ['a month close', (workspace_id: number) => run(ledgerCloseMonth, { workspace_id, month: '2026-02' })],
  ])('LOT-02 is recorded by %s first', async (_name, read) => {
    const { workspaceId } = await withLot();
    host.setNow(AFTER);
    await read(workspaceId);
    expect((await entries(workspaceId)).slice(0, 5)).toEqual([...OPENED, EXPIRED]);
  });

  it.each([
    ['as-of of the future', (id: number) => run(ledgerAsOf, { workspace_id: id, at: '2026-03-03' })],
    ['as-of after the last revision', (id: number) => run(ledgerAsOf, { workspace_id: id, at: 4 })],
    ['a statement', (id: number) => run(ledgerStatement, { workspace_id: id, at: 999_999 })],
    [
      'rows with groups',
      (id: number) => run(ledgerStatement, { workspace_id: id, rows: 1, group_by: 'month' }),
    ],
    ['rows_from alone', (id: number) => run(ledgerStatement, { workspace_id: id, rows_from: 1 })],
    ['an export', (id: number) => exported(id, 'jsonl', '2026-03-03')],
    ['a running month', (id: number) => run(ledgerCloseMonth, { workspace_id: id, month: '2026-03' })],
    [
      'a month with a wrong hash',
      (id: number) => run(ledgerCloseMonth, { workspace_id: id, month: '2026-02', hash: 'f'.repeat(64) }),
    ],
    [
      'a month before the ledger',
      (id: number) => run(ledgerCloseMonth, { workspace_id: id, month: '2025-12' }),
    ],
    ['a list of holds', (id: number) => run(holdList, { workspace_id: id, after: 999_999 })],
  ])('INV-07 LOT-01 is not recorded by a request that is refused: %s', async (_name, read) => {
    const { workspaceId } = await withLot();
    host.setNow(AFTER);
    await refusalOf(read(workspaceId));
    expect(await entries(workspaceId)).toEqual(OPENED);
  });

  it('INV-07 is not recorded by the close of a month whose statement was approved before the expiry', async () => {
    const { workspaceId } = await withLot();
    host.setNow('2026-02-28T10:00:00.000Z');
    const close = (hash: string, month = '2026-03') =>
      run(ledgerCloseMonth, { workspace_id: workspaceId, month, hash });
    const hashNow = async (): Promise<string> => {
      const statement = await run(ledgerStatement, { workspace_id: workspaceId });
      return (statement as { readonly hash: string }).hash;
    };
    const hash = await hashNow();
    host.setNow('2026-04-01T09:00:00.000Z');
    const refused = await refusalOf(close(hash));
    expect([...(refused.details.errors ?? [])]).toEqual([
      ['month', [`has an expiry at ${MARCH} that is not recorded yet`]],
    ]);
    expect(await entries(workspaceId)).toEqual(OPENED);
    // The expiry comes after February, so its statement is still the approved one.
    expect(await close(hash, '2026-02')).toMatchObject({ replayed: false });
    expect(await entries(workspaceId)).toEqual([...OPENED, EXPIRED, 'PeriodSealed']);
    expect(await hashNow()).not.toBe(hash);
  });

  it('LOT-02 P9 does not change a closed month or an earlier answer as of a time', async () => {
    const { workspaceId } = await withLot();
    host.setNow(AFTER);
    const asOf = await run(ledgerAsOf, { workspace_id: workspaceId, at: AFTER });
    expect(asOf).toMatchObject({ balance: { balance: 10, expired: 3 } });
    const sealed = await run(ledgerCloseMonth, { workspace_id: workspaceId, month: '2026-02' });
    expect(sealed).toMatchObject({ closing: 13, replayed: false });
    host.setNow('2026-05-02T00:00:00.000Z');
    await run(creditsGrant, { workspace_id: workspaceId, credits: 1, reason: 'r' });
    expect(await run(ledgerAsOf, { workspace_id: workspaceId, at: AFTER })).toEqual(asOf);
    const statement = await run(ledgerStatement, {
      workspace_id: workspaceId,
      from: '2026-03-01',
      to: '2026-04-01',
    });
    expect(statement).toMatchObject({ opening: 13, closing: 10, expired: 3, rows: [{ kind: 'expiry' }] });
    expect(await run(ledgerVerify, { workspace_id: workspaceId })).toMatchObject({ ok: true });
  });
});

describe('a hold across the end of its lot', () => {
  it('LOT-03 is captured whole', async () => {
    const { workspaceId } = await withLot();
    host.setNow(AFTER);
    const answer = await run(creditsCapture, { workspace_id: workspaceId, key: 'k' });
    expect(answer).toMatchObject({ balance: { balance: 10, held: 0, captured: 2, expired: 3 } });
    expect(await entries(workspaceId)).toEqual([...OPENED, EXPIRED, 'CreditsCaptured']);
  });

  it('LOT-03 is given back and expires in the same append, at that time', async () => {
    const { workspaceId } = await withLot();
    host.setNow(AFTER);
    const answer = await run(creditsRelease, { workspace_id: workspaceId, key: 'k' });
    expect(answer).toMatchObject({ balance: { balance: 10, held: 0, granted: 10, expired: 5 } });
    expect(await entries(workspaceId)).toEqual([
      ...OPENED,
      EXPIRED,
      'CreditsReleased',
      `LotExpired at ${AFTER} by operator`,
    ]);
    expect(await run(ledgerVerify, { workspace_id: workspaceId })).toMatchObject({ ok: true });
  });
});

describe('statement and exports of a ledger with lots', () => {
  it('LOT-04 show lots if there are any, with the rest as credit without terms', async () => {
    const { workspaceId, lot } = await withLot();
    const statement = await run(ledgerStatement, { workspace_id: workspaceId });
    expect(statement).toMatchObject({
      rows: [
        { kind: 'grant', credits: 10 },
        {
          kind: 'grant',
          credits: 5,
          lots: [{ lot, credits: 5 }],
          terms: { expires_at: MARCH, priority: 50, promotional: true },
        },
        { kind: 'hold', credits: -2, lots: [{ lot, credits: 2 }] },
      ],
      closing: 13,
      expired: 0,
      lots: [{ lot, free: 3, held: 2 }],
    });
    const [first] = (statement as { rows: readonly object[] }).rows;
    expect(first).not.toHaveProperty('lots');
    const csv = (await exported(workspaceId, 'csv')).split('\r\n');
    expect(csv[0]).toMatch(/,hash,lots,expires_at,priority,promotional$/);
    expect(csv[3]).toMatch(new RegExp(`,${lot}:5,2026-03-01T00:00:00.000Z,50,yes$`));
    expect(csv[4]).toMatch(new RegExp(`,${lot}:2,,,$`));
    const journal = await exported(workspaceId, 'journal');
    expect(journal).toContain(`Assets:Available:Lot-${lot}  -2.000000 CREDIT = 3.000000 CREDIT`);
    expect(journal).toContain(`Assets:Held:Lot-${lot}  2.000000 CREDIT = 2.000000 CREDIT`);
  });

  it('LOT-06 takes back the named lot, and says so', async () => {
    const { workspaceId, lot } = await withLot();
    const wanted = { workspace_id: workspaceId, reason: 'mistake', lot };
    const { details } = await refusalOf(run(creditsWithdraw, { ...wanted, credits: 4 }));
    expect(details.members).toMatchObject({ credits_required: 4, credits_available: 3 });
    const answer = await run(creditsWithdraw, { ...wanted, credits: 3 });
    expect(answer).toMatchObject({ balance: { balance: 10, expiring: [] } });
  });
});

describe('credits.adjust up with terms', () => {
  it('LOT-06 is a separate lot with these terms, and an adjustment on statement and exports', async () => {
    const { workspaceId, lot } = await withLot();
    host.setNow(AFTER);
    const wanted = {
      workspace_id: workspaceId,
      credits: 3,
      reason: 'lost while we were down',
      corrects: lot,
      adjust_key: 'again-until-april',
      expires_at: '2026-04-01',
      priority: 10,
      promotional: true,
    };
    const answer = await run(creditsAdjust, wanted);
    expect(answer).toMatchObject({
      credits: 3,
      replayed: false,
      balance: { balance: 13, granted: 15, expired: 3, expiring: [{ credits: 3, expires_at: APRIL }] },
    });
    const { movement_id: added } = answer as { movement_id: number };
    expect(await run(creditsAdjust, wanted)).toMatchObject({ movement_id: added, replayed: true });
    const other = await refusalOf(run(creditsAdjust, { ...wanted, expires_at: '2026-05-01' }));
    expect(fieldsOf(other)).toEqual(['expires_at']);
    expect(await entries(workspaceId)).toEqual([...OPENED, EXPIRED, 'LotAdjusted']);

    const terms = { expires_at: APRIL, priority: 10, promotional: true };
    const period = { workspace_id: workspaceId, from: '2026-03-02' };
    expect(await run(ledgerStatement, period)).toMatchObject({
      rows: [{ kind: 'adjustment', credits: 3, balance: 13, lots: [{ lot: added, credits: 3 }], terms }],
      lots: [
        { lot, held: 2 },
        { lot: added, free: 3, ...terms },
      ],
    });
    expect(await exported(workspaceId, 'csv')).toMatch(
      new RegExp(`\r\nadjustment,.*,${added}:3,2026-04-01T00:00:00.000Z,10,yes\r\n`),
    );
    expect(await exported(workspaceId, 'journal')).toContain(
      `Assets:Available:Lot-${added}  3.000000 CREDIT = 3.000000 CREDIT`,
    );
    expect(
      await run(creditsHold, { workspace_id: workspaceId, key: 'h', credits: 4, product: 'p' }),
    ).toMatchObject({ balance: { balance: 9, expiring: [] } });
    expect(await run(ledgerVerify, { workspace_id: workspaceId })).toMatchObject({ ok: true });
  });

  it('LOT-06 expires like a grant, and only what is left of it can be corrected', async () => {
    const { workspaceId } = await withLot();
    const wanted = { workspace_id: workspaceId, credits: 4, reason: 'goodwill', expires_at: '2026-02-01' };
    const { movement_id: added } = (await run(creditsAdjust, wanted)) as { movement_id: number };
    await run(creditsWithdraw, { workspace_id: workspaceId, credits: 1, reason: 'less', lot: added });
    host.setNow(AFTER);
    expect(await run(ledgerAsOf, { workspace_id: workspaceId })).toMatchObject({
      balance: { balance: 10, granted: 12, expired: 6 },
    });
    const back = { workspace_id: workspaceId, credits: -2, reason: 'back', corrects: added };
    const { details } = await refusalOf(run(creditsAdjust, back));
    expect(details.members).toEqual({ credits_left: 1 });
    expect(await run(ledgerVerify, { workspace_id: workspaceId })).toMatchObject({ ok: true });
  });

  it('LOT-06 refuses terms of credits that are taken back, and an end in the past, naming the field', async () => {
    const { workspaceId } = await withLot();
    type Adjusted = { credits: number; expires_at?: string; priority?: number; promotional?: boolean };
    const wrong: readonly [Adjusted, string][] = [
      [{ credits: -1, expires_at: '2026-04-01' }, 'expires_at'],
      [{ credits: -1, priority: 50 }, 'priority'],
      [{ credits: -1, promotional: false }, 'promotional'],
      [{ credits: 1, expires_at: '2026-01-05T10:00:00Z' }, 'expires_at'],
      [{ credits: 1, expires_at: 'tomorrow' }, 'expires_at'],
    ];
    for (const [input, field] of wrong) {
      const refused = run(creditsAdjust, { workspace_id: workspaceId, reason: 'r', ...input });
      expect(fieldsOf(await refusalOf(refused))).toEqual([field]);
    }
    expect(await entries(workspaceId)).toEqual(OPENED);
  });
});

it('P16 LOT-05 twenty holds at once over 4 command paths never take more of a lot than it has', async () => {
  const { workspaceId } = await withLot();
  const paths = await Promise.all([1, 2, 3, 4].map(() => host.anotherCommandPath()));
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      runCommand(
        { ...host, commands: paths[index % 4] ?? host.commands },
        creditsHold,
        { workspace_id: workspaceId, key: `h${index}`, credits: 1.5, product: 'p' },
        testCall,
      ),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  expect(await run(ledgerVerify, { workspace_id: workspaceId })).toMatchObject({ ok: true });
  expect(await run(ledgerAsOf, { workspace_id: workspaceId })).toMatchObject({
    balance: { balance: 1, expiring: [] },
    lots: [{ free: 0, held: 5 }],
  });
});
