import { creditAccount } from '#ledger/domain/credit-account.js';
import { accountFromJson, accountToJson } from '#ledger/domain/account-snapshot.js';
import { postingRepeated } from '#ledger/domain/recent-postings.js';
import { hold } from '#ledger/domain/hold-credits.js';
import { credits } from '#kernel/values/credits.js';
import { Refusal } from '#kernel/values/refusal.js';
import type { Static, TObject } from '#kernel/values/schema.js';
import { creditsAdjust } from '#ledger/commands/credits-adjust.js';
import { creditsCapture } from '#ledger/commands/credits-capture.js';
import { creditsGrant } from '#ledger/commands/credits-grant.js';
import { creditsHold } from '#ledger/commands/credits-hold.js';
import { creditsRelease } from '#ledger/commands/credits-release.js';
import { creditsWithdraw } from '#ledger/commands/credits-withdraw.js';
import type { OperatorCommand } from '#ops/support/operator-command.js';
import { testCall } from '#test/support/test-call.js';
import { runCommand } from '#ops/support/run-command.js';
import { fieldsOf, operatorOf, runOn, sharedLedgerHost } from './ledger-host.js';
import { refusalOf } from '#test/support/event-stores.js';

const host = sharedLedgerHost();
const run = runOn(host);

/** The refusal, after a proof that nothing was written. */
async function refusedBy<Input extends TObject>(
  command: OperatorCommand<Input>,
  input: Static<Input> & { readonly workspace_id: number },
): Promise<{ readonly code: string; readonly fields: readonly string[]; readonly members: unknown }> {
  const written = (await host.ledger(input.workspace_id)).length;
  const refusal = await refusalOf(run(command, input));
  expect(await host.ledger(input.workspace_id)).toHaveLength(written);
  const { declaration, details } = refusal;
  return { code: declaration.code, fields: fieldsOf(refusal), members: details.members };
}

describe('credits.grant and credits.withdraw', () => {
  it('OPS-03 change the balance once for a grant key and answer with the balance', async () => {
    await host.openWorkspace(1);
    const wanted = { workspace_id: 1, credits: '100.5', reason: 'contract', grant_key: 'march' };
    const balance = {
      balance: 100.5,
      held: 0,
      captured: 0,
      granted: 100.5,
      is_billed: true,
      billing: 'self',
    };
    const first = { movement_id: expect.any(Number), credits: 100.5, revision: 1, replayed: false, balance };
    const granted = await run(creditsGrant, wanted);
    expect(granted).toEqual({ ...first, balance: expect.objectContaining(balance) });
    expect(await run(creditsGrant, wanted)).toEqual({ ...Object(granted), replayed: true });
    expect(await run(creditsWithdraw, { workspace_id: 1, credits: 0.000001, reason: 'dust' })).toMatchObject({
      balance: { balance: 100.499999 },
    });
    expect((await host.ledger(1)).map(({ type }) => type)).toEqual([
      'BillingModeSet',
      'CreditsGranted',
      'CreditsWithdrawn',
    ]);
  });

  it('OP-71 refuse to take back more than is free with 402 and its numbers', async () => {
    await host.openWorkspace(2);
    await run(creditsGrant, { workspace_id: 2, credits: 10, reason: 'contract' });
    await run(creditsHold, { workspace_id: 2, key: 'k', credits: 4, product: 'p' });
    expect(await refusedBy(creditsWithdraw, { workspace_id: 2, credits: 7, reason: 'r' })).toEqual({
      code: 'insufficient-credits',
      fields: [],
      members: { credits_required: 7, credits_available: 6, credits_held: 4 },
    });
  });

  it('OP-11 refuse amounts that are no positive decimal of six places at most, naming the field', async () => {
    await host.openWorkspace(3);
    const wrong = [
      0,
      -1,
      '0',
      '-1',
      '1.2345678',
      0.1234567,
      '1e3',
      1e-7,
      1e21,
      'NaN',
      '',
      ' 1',
      '+1',
      '1000000001',
      '.5',
    ];
    for (const amount of wrong) {
      const refused = await refusedBy(creditsGrant, { workspace_id: 3, credits: amount, reason: 'r' });
      expect([amount, refused]).toEqual([
        amount,
        { code: 'invalid-input', fields: ['credits'], members: undefined },
      ]);
    }
  });

  it('refuse a workspace that does not exist', async () => {
    expect(await refusedBy(creditsGrant, { workspace_id: 404, credits: 1, reason: 'r' })).toMatchObject({
      code: 'credit-account-not-found',
    });
  });
});

describe('a grant or withdrawal that looks like one of the last day', () => {
  for (const [command, kind] of [
    [creditsGrant, 'grant'],
    [creditsWithdraw, 'withdrawal'],
  ] as const)
    it(`LED-11 OPS-03 is refused on the command line until it is confirmed, and noted by the listener: ${kind}`, async () => {
      const workspace = kind === 'grant' ? 45 : 46;
      await host.openWorkspace(workspace);
      await run(creditsGrant, { workspace_id: workspace, credits: 100, reason: 'opening', grant_key: 'o' });
      const wanted = { workspace_id: workspace, credits: 5, reason: 'invoice 17' };
      const typed = (input: object) => runCommand({ ...host, isAlone: true }, command, input, testCall);
      const asked = (input: object) => runCommand({ ...host, isAlone: false }, command, input, testCall);
      const first = Object(await typed(wanted));
      expect(first).not.toHaveProperty('notes');
      const written = (await host.ledger(workspace)).length;
      await expect(typed(wanted)).rejects.toMatchObject({
        declaration: postingRepeated,
        details: { members: { movement_id: first.movement_id } },
      });
      expect(await host.ledger(workspace)).toHaveLength(written);
      expect(await typed({ ...wanted, again: true })).toMatchObject({ replayed: false });
      expect(await asked(wanted)).toMatchObject({
        replayed: false,
        notes: [expect.stringContaining('the same amount was posted for the same reason')],
      });
      for (const other of [{ credits: 6 }, { reason: 'invoice 18' }, { grant_key: 'k' }])
        expect(await typed({ ...wanted, ...other })).toMatchObject({ replayed: false });
      const recent = await host.commands.load(creditAccount, String(workspace), (account) =>
        [
          ...accountFromJson(accountToJson(account), {
            revision: 0n,
            position: '0',
          }).postings.recent.values(),
        ].map(({ credits: amount }) => amount),
      );
      expect(recent).toEqual(['5000000', '5000000', '5000000', '6000000', '5000000']);
      host.setNow(new Date(host.clock.now().getTime() + 24 * 60 * 60 * 1_000).toISOString());
      expect(await typed(wanted)).toMatchObject({ replayed: false });
    });
});

describe('credits.adjust', () => {
  it('LED-10 OPS-22 returns at most the charge of a movement, and shows the rest', async () => {
    const WORKSPACE = 44;
    await host.openWorkspace(WORKSPACE);
    const asked = { workspace_id: WORKSPACE };
    await run(creditsGrant, { ...asked, credits: 100, reason: 'contract' });
    const held = Object(await run(creditsHold, { ...asked, key: 'k', credits: 10, product: 'p' }));
    await run(creditsCapture, { ...asked, key: 'k' });
    const refund = { ...asked, reason: 'wrong match', corrects: Number(held.movement_id) };
    expect(await run(creditsAdjust, { ...refund, credits: 10 })).toMatchObject({ balance: { balance: 100 } });
    for (const credits of [10, 5_000])
      expect(await refusedBy(creditsAdjust, { ...refund, credits })).toEqual({
        code: 'corrections-exceeded',
        fields: ['credits'],
        members: { credits_left: 0 },
      });
    expect(await run(creditsAdjust, { ...refund, credits: 1, beyond: 'goodwill' })).toMatchObject({
      credits: 1,
      balance: { balance: 101 },
    });
    expect((await host.ledger(WORKSPACE)).at(-1)?.data).toMatchObject({ beyond: 'goodwill' });
  });

  it('OPS-22 corrects up and down and refuses 0', async () => {
    await host.openWorkspace(4);
    await run(creditsGrant, { workspace_id: 4, credits: 10, reason: 'contract' });
    const down = { workspace_id: 4, credits: '-2.5', reason: 'too much', adjust_key: 'fix' };
    expect(await run(creditsAdjust, down)).toMatchObject({
      replayed: false,
      balance: { balance: 7.5, granted: 7.5 },
    });
    expect(await run(creditsAdjust, down)).toMatchObject({ replayed: true, balance: { balance: 7.5 } });
    expect(await refusedBy(creditsAdjust, { ...down, credits: 0 })).toMatchObject({ fields: ['credits'] });
    expect(await refusedBy(creditsAdjust, { ...down, credits: -3 })).toMatchObject({
      code: 'posting-key-taken',
    });
    expect(await refusedBy(creditsAdjust, { workspace_id: 4, credits: -8, reason: 'r' })).toMatchObject({
      code: 'insufficient-credits',
    });
  });
});

describe('credits.hold, credits.capture and credits.release', () => {
  it('OPS-21 hold once for a key and end by key or movement, each answering with the current balance', async () => {
    await host.openWorkspace(5);
    await run(creditsGrant, { workspace_id: 5, credits: 30, reason: 'contract' });
    const wanted = { workspace_id: 5, key: 'job:1', credits: 10, product: 'export' };
    const first = await run(creditsHold, wanted);
    expect(first).toMatchObject({ status: 'held', replayed: false, balance: { balance: 20, held: 10 } });
    const movementId = (await host.ledger(5))[2]?.data['movementId'];
    expect(first).toMatchObject({ movement_id: movementId });
    expect(await run(creditsHold, wanted)).toMatchObject({ movement_id: movementId, replayed: true });
    expect(await run(creditsCapture, { workspace_id: 5, key: 'job:1' })).toMatchObject({
      movement_id: movementId,
      status: 'captured',
      replayed: false,
      balance: { balance: 20, held: 0, captured: 10 },
    });
    expect(await run(creditsHold, wanted)).toMatchObject({
      movement_id: movementId,
      status: 'captured',
      replayed: true,
    });
    expect(await run(creditsCapture, { workspace_id: 5, movement_id: Number(movementId) })).toMatchObject({
      status: 'captured',
      replayed: true,
    });
    await run(creditsHold, { ...wanted, key: 'job:2' });
    expect(await run(creditsRelease, { workspace_id: 5, key: 'job:2' })).toMatchObject({
      status: 'released',
      balance: { balance: 20, held: 0, captured: 10 },
    });
    expect(await host.ledger(5)).toHaveLength(6);
  });

  it('OP-71 refuse another end, an unknown movement, a key of another charge and an ambiguous movement', async () => {
    await host.openWorkspace(6);
    await run(creditsGrant, { workspace_id: 6, credits: 30, reason: 'contract' });
    const wanted = { workspace_id: 6, key: 'job:1', credits: 10, product: 'export' };
    await run(creditsHold, wanted);
    await run(creditsCapture, { workspace_id: 6, key: 'job:1' });
    expect(await refusedBy(creditsRelease, { workspace_id: 6, key: 'job:1' })).toMatchObject({
      code: 'movement-closed',
    });
    expect(await refusedBy(creditsCapture, { workspace_id: 6, key: 'x' })).toMatchObject({
      code: 'movement-not-found',
    });
    expect(await refusedBy(creditsHold, { ...wanted, credits: 11 })).toMatchObject({
      code: 'charge-key-taken',
      fields: ['credits'],
    });
    expect(await refusedBy(creditsHold, { ...wanted, product: 'x' })).toMatchObject({ fields: ['product'] });
    expect(await refusedBy(creditsCapture, { workspace_id: 6 })).toMatchObject({ code: 'invalid-input' });
    expect(await refusedBy(creditsCapture, { workspace_id: 6, key: 'a', movement_id: 1 })).toMatchObject({
      code: 'invalid-input',
    });
  });

  it('another workspace cannot end a movement', async () => {
    await host.openWorkspace(7);
    await host.openWorkspace(8);
    await run(creditsGrant, { workspace_id: 7, credits: 30, reason: 'contract' });
    await run(creditsHold, { workspace_id: 7, key: 'job:1', credits: 10, product: 'export' });
    const movementId = Number((await host.ledger(7))[2]?.data['movementId']);
    expect(await refusedBy(creditsCapture, { workspace_id: 8, movement_id: movementId })).toMatchObject({
      code: 'movement-not-found',
    });
  });

  it('OP-25 an exempt workspace has no movement', async () => {
    await host.openWorkspace(9, { mode: 'exempt' });
    expect(await run(creditsHold, { workspace_id: 9, key: 'k', credits: 10, product: 'p' })).toMatchObject({
      movement_id: null,
      status: 'exempt',
      replayed: false,
      balance: { is_billed: false },
    });
  });
});

describe('many at once', () => {
  it('P16 20 concurrent holds of 75 on 500 over 4 command paths on one file: exactly 6 are granted', async () => {
    await host.openWorkspace(10);
    await run(creditsGrant, { workspace_id: 10, credits: 500, reason: 'contract' });
    const commandPaths = await Promise.all([1, 2, 3, 4].map(() => host.anotherCommandPath()));
    const ids = await host.ids.nextMany('movement', 20);
    const outcomes = await Promise.allSettled(
      ids.map((movementId, index) => {
        const wanted = {
          movementId,
          key: `k${index}`,
          credits: credits(75),
          product: 'p',
          cause: { kind: 'operator' },
        } as const;
        const commands = commandPaths[index % 4] ?? host.commands;
        return commands.handle(creditAccount, '10', hold(wanted), {
          context: operatorOf(10),
        });
      }),
    );
    const granted = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(granted).toHaveLength(6);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused.every((reason) => reason instanceof Refusal)).toBe(true);
    expect((await host.ledger(10)).filter(({ type }) => type === 'CreditsHeld')).toHaveLength(6);
  });

  it('P6 the same hold from 4 command paths at once is one movement with one answer', async () => {
    await host.openWorkspace(11);
    await run(creditsGrant, { workspace_id: 11, credits: 500, reason: 'contract' });
    const commandPaths = await Promise.all([1, 2, 3, 4].map(() => host.anotherCommandPath()));
    const wanted = { workspace_id: 11, key: 'same', credits: 10, product: 'p' };
    const answers = await Promise.all(
      commandPaths.flatMap((commands) =>
        [1, 2, 3].map(() => runCommand({ ...host, commands }, creditsHold, wanted, testCall)),
      ),
    );
    const held = (await host.ledger(11)).filter(({ type }) => type === 'CreditsHeld');
    expect(held).toHaveLength(1);
    const movementId = held[0]?.data['movementId'];
    for (const answer of answers) expect(answer).toMatchObject({ movement_id: movementId, status: 'held' });
    expect(answers.filter((answer) => Reflect.get(Object(answer), 'replayed') === false)).toHaveLength(1);
  });
});
