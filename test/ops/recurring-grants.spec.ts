import { provision, workspace } from '#access/domain/workspaces/workspace.js';
import type { Commands } from '#kernel/commands/commands.js';
import { giveRecurringGrants } from '#ledger/charging/give-recurring-grants.process.js';
import { creditsGrant } from '#ledger/commands/credits-grant.js';
import { creditsRecurringAdd } from '#ledger/commands/credits-recurring-add.js';
import { creditsRecurringList } from '#ledger/commands/credits-recurring-list.js';
import { creditsRecurringStop } from '#ledger/commands/credits-recurring-stop.js';
import { ledgerStatement } from '#ledger/commands/ledger-statement.js';
import { ledgerVerify } from '#ledger/commands/ledger-verify.js';
import { runCommand } from '#ops/support/run-command.js';
import { dueItems } from '#process-engine/to-do.js';
import type { RecurringGrantDocument } from '#projections/ledger/recurring-grants/recurring-grants.projection.js';
import { testCall } from '#test/support/test-call.js';
import { fieldsOf, operatorOf, runOn, sharedLedgerHost } from './ledger-host.js';
import { refusalOf } from '#test/support/event-stores.js';

const host = sharedLedgerHost();
const run = runOn(host);
let workspaces = 0;

const DAILY = { credits: 10, reason: 'allowance', every: 'day', from: '2026-02-01' } as const;

const nextDue = async (workspaceId: number): Promise<RecurringGrantDocument | undefined> => {
  const { toDo } = giveRecurringGrants;
  const [due] = await dueItems<RecurringGrantDocument>(
    host.readModels,
    toDo,
    host.clock.now(),
    1,
    workspaceId,
  );
  return due;
};

/** Acts on everything that is due, as the process runner does. */
async function give(workspaceId: number): Promise<void> {
  for (;;) {
    const due = await nextDue(workspaceId);
    if (due === undefined) return;
    await giveRecurringGrants.act(host as never, due, new AbortController().signal);
  }
}

async function workspaceAt(now: string): Promise<number> {
  host.setNow(now);
  await host.openWorkspace((workspaces += 1));
  // The list of its recurring grants asks whether it exists.
  const provisioning = {
    name: 'Test',
    topAccountListId: 1,
    employeeListId: 2,
    accountMapping: false,
    trialQuota: null,
  };
  const options = { context: operatorOf(workspaces) };
  await host.commands.handle(workspace, String(workspaces), provision(provisioning), options);
  return workspaces;
}

describe('credits.recurring.stop', () => {
  it('LOT-08 makes a grant that falls due between the grants that were due and the end of the rule', async () => {
    const workspace_id = await workspaceAt('2026-01-31T00:00:00.000Z');
    const daily = { ...DAILY, workspace_id };
    await run(creditsRecurringAdd, daily);
    host.setNow('2026-01-31T23:59:59.999Z');
    const commands: Commands = {
      ...host.commands,
      async handle(...decided: Parameters<Commands['handle']>) {
        host.setNow('2026-02-01T00:00:00.000Z');
        return host.commands.handle(...decided);
      },
    } as Commands;
    const stopped = await runCommand(
      { ...host, commands },
      creditsRecurringStop,
      { workspace_id, rule_id: 1 },
      testCall,
    );
    expect(stopped).toEqual({ rule_id: 1, replayed: false });
    expect((await host.ledger(workspace_id)).map(({ type }) => type)).toEqual([
      'BillingModeSet',
      'RecurringGrantAdded',
      'LotGranted',
      'RecurringGrantStopped',
    ]);
  });

  it('LOT-08 makes the grants that are due in a ledger that is ahead of the clock', async () => {
    const workspace_id = await workspaceAt('2026-01-31T00:00:00.000Z');
    const daily = { ...DAILY, workspace_id };
    await run(creditsRecurringAdd, daily);
    host.setNow('2026-02-01T00:00:00.000Z');
    await run(creditsGrant, { workspace_id, credits: 1, reason: 'r' });
    host.setNow('2026-01-31T23:00:00.000Z');
    await run(creditsRecurringStop, { workspace_id, rule_id: 1 });
    expect((await host.ledger(workspace_id)).map(({ type }) => type).slice(3)).toEqual([
      'LotGranted',
      'RecurringGrantStopped',
    ]);
  });
});

describe('credits.recurring', () => {
  it('LOT-08 gives a month on the 31st with its expiry, on the last day of February, and is on the statement', async () => {
    const workspace_id = await workspaceAt('2026-01-31T00:00:00.000Z');
    const monthly = { workspace_id, credits: 100, reason: 'allowance', every: 'month', expires_after: 'P1M' };
    expect(await run(creditsRecurringAdd, { ...monthly, every: 'month' })).toEqual({
      rule_id: 1,
      next_due: '2026-01-31T00:00:00.000Z',
      replayed: false,
    });
    await give(workspace_id);
    host.setNow('2026-03-31T00:00:00.000Z');
    await give(workspace_id);
    expect(await run(ledgerStatement, { workspace_id })).toMatchObject({
      rows: [
        { kind: 'grant', credits: 100, at: '2026-01-31T00:00:00.000Z' },
        { kind: 'expiry', credits: -100, at: '2026-02-28T00:00:00.000Z' },
        { kind: 'grant', credits: 100, terms: { expires_at: '2026-04-30T00:00:00.000Z' } },
      ],
      closing: 100,
    });
    expect(await run(creditsRecurringList, { workspace_id })).toMatchObject({
      total: 1,
      recurring: [
        {
          rule_id: 1,
          status: 'active',
          expires_after: 'P1M',
          next_due: '2026-04-30T00:00:00.000Z',
          grants: 2,
          given: 200,
          skips: 1,
          skipped: [{ due: '2026-02-28T00:00:00.000Z', why: 'over' }],
        },
      ],
    });
    expect(await run(ledgerVerify, { workspace_id })).toMatchObject({ ok: true });
  });

  it('LOT-08 gives a year of missed days in order, in successive commands of a hundred', async () => {
    const workspace_id = await workspaceAt('2026-01-01T00:00:00.000Z');
    await run(creditsRecurringAdd, { workspace_id, credits: 1, reason: 'daily', every: 'day' });
    host.setNow('2026-12-31T12:00:00.000Z');
    await give(workspace_id);
    const given = (await host.ledger(workspace_id)).filter(({ type }) => type === 'LotGranted');
    expect(given).toHaveLength(365);
    const keys = given.map(({ data }) => String(data['key']));
    expect(keys).toEqual(keys.toSorted());
    expect(new Set(keys).size).toBe(365);
    expect(keys[58]).toBe('recurring:1:2026-02-28T00:00:00.000Z');
  });

  it('LOT-08 four processes at once give each period once', async () => {
    const workspace_id = await workspaceAt('2026-01-01T00:00:00.000Z');
    await run(creditsRecurringAdd, { workspace_id, credits: 1, reason: 'daily', every: 'day' });
    host.setNow('2026-01-10T00:00:00.000Z');
    const { act } = giveRecurringGrants;
    const due = await nextDue(workspace_id);
    if (due === undefined) throw new Error('nothing is due');
    const paths = await Promise.all([1, 2, 3, 4].map(() => host.anotherCommandPath()));
    await Promise.all(
      paths.map((commands) => act({ ...host, commands } as never, due, new AbortController().signal)),
    );
    const given = (await host.ledger(workspace_id)).filter(({ type }) => type === 'LotGranted');
    expect(given).toHaveLength(10);
  });

  it('LOT-08 four processes at once add one rule for one key, and say which', async () => {
    const workspace_id = await workspaceAt('2026-01-01T00:00:00.000Z');
    const asked = { workspace_id, credits: 1, reason: 'daily', every: 'day', again: true } as const;
    const paths = await Promise.all([1, 2, 3, 4].map(() => host.anotherCommandPath()));
    const answers = await Promise.all(
      paths.map((commands) =>
        runCommand({ ...host, commands }, creditsRecurringAdd, { ...asked, rule_key: 'form 7' }, testCall),
      ),
    );
    const next_due = '2026-01-01T00:00:00.000Z';
    expect(answers).toEqual(
      expect.arrayContaining([
        { rule_id: 1, next_due, replayed: false },
        { rule_id: 1, next_due, replayed: true },
      ]),
    );
    expect((await host.ledger(workspace_id)).map(({ type }) => type)).toEqual([
      'BillingModeSet',
      'RecurringGrantAdded',
    ]);
    await give(workspace_id);
    const later = await run(creditsRecurringAdd, { ...asked, rule_key: 'form 7' });
    expect(later).toEqual({ rule_id: 1, next_due: '2026-01-02T00:00:00.000Z', replayed: true });
    await run(creditsRecurringStop, { workspace_id, rule_id: 1 });
    const stopped = await run(creditsRecurringAdd, { ...asked, rule_key: 'form 7' });
    expect(stopped).toEqual({ rule_id: 1, next_due: null, replayed: true });
    const taken = await refusalOf(run(creditsRecurringAdd, { ...asked, credits: 2, rule_key: 'form 7' }));
    expect([taken.declaration.code, fieldsOf(taken)]).toEqual(['recurring-key-taken', ['credits']]);
    expect(await run(creditsRecurringList, { workspace_id })).toMatchObject({
      total: 1,
      recurring: [{ rule_id: 1, rule_key: 'form 7' }],
    });
  });

  it('LOT-08 stop gives what was due until then and nothing afterwards; a second stop changes nothing', async () => {
    const workspace_id = await workspaceAt('2026-01-01T00:00:00.000Z');
    await run(creditsRecurringAdd, { workspace_id, credits: 5, reason: 'daily', every: 'day' });
    host.setNow('2026-01-02T00:00:00.000Z');
    expect(await run(creditsRecurringStop, { workspace_id, rule_id: 1 })).toEqual({
      rule_id: 1,
      replayed: false,
    });
    host.setNow('2026-01-09T00:00:00.000Z');
    await give(workspace_id);
    expect(await run(creditsRecurringStop, { workspace_id, rule_id: 1 })).toMatchObject({ replayed: true });
    const types = (await host.ledger(workspace_id)).map(({ type }) => type);
    expect(types).toEqual([
      'BillingModeSet',
      'RecurringGrantAdded',
      'LotGranted',
      'LotGranted',
      'RecurringGrantStopped',
    ]);
    expect(await run(creditsRecurringList, { workspace_id })).toMatchObject({
      recurring: [{ status: 'stopped', next_due: null, grants: 2, given: 10 }],
    });
  });

  it('LOT-08 refuses contradictory terms naming the field, and adds nothing', async () => {
    const workspace_id = await workspaceAt('2026-01-05T00:00:00.000Z');
    const sound = { workspace_id, credits: 1, reason: 'r', every: 'day' } as const;
    const wrong = {
      expires_after: 'P1Y',
      from: '2024-01-01',
      until: '2026-01-05',
      credits: 0,
      ceiling: -1,
    } as const;
    for (const [field, value] of Object.entries(wrong)) {
      const refusal = await refusalOf(run(creditsRecurringAdd, { ...sound, [field]: value }));
      expect(fieldsOf(refusal)).toEqual([field]);
    }
    const unknown = await refusalOf(run(creditsRecurringStop, { workspace_id, rule_id: 7 }));
    expect(unknown.declaration.code).toBe('recurring-grant-not-found');
    await run(creditsRecurringAdd, sound);
    const again = await refusalOf(run(creditsRecurringAdd, sound));
    expect([again.declaration.code, again.details.members]).toEqual([
      'recurring-grant-repeated',
      { rule_id: 1 },
    ]);
    const types = (await host.ledger(workspace_id)).map(({ type }) => type);
    expect(types).toEqual(['BillingModeSet', 'RecurringGrantAdded']);
  });

  it('LOT-08 keys of recurring grants are closed to operators', async () => {
    const workspace_id = await workspaceAt('2026-01-05T00:00:00.000Z');
    const grant_key = 'recurring:1:2026-01-05T00:00:00.000Z';
    const asked = run(creditsGrant, { workspace_id, credits: 1, reason: 'r', grant_key });
    expect(fieldsOf(await refusalOf(asked))).toEqual(['grant_key']);
  });
});
