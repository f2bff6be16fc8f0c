import { credits } from '#kernel/values/credits.js';
import { monitoringSummary } from '#monitoring/summary.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { observedCompany } from '#test/support/observed-network.js';
import { addTo } from '#test/support/list-agents.js';
import { scene, type Scene, type SceneList } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const START = '2026-03-10T08:00:00.000Z';
const A_MONTH_LATER = '2026-04-10T08:00:00.000Z';
const ITEM = 'bucket:essential';
const NOBODY = { credits: undefined };

let service: Scene;
/** A service of its own for the cases of a `describe`. */
function open(): void {
  const opened = scene({
    at: START,
    network: ['acme', 'globex', 'initech'].map((handle) => observedCompany(handle)),
  });
  beforeAll(() => {
    service = opened;
  });
}

/** A workspace with one business unit, and the calls of its tests. */
async function house(options: object = {}) {
  const workspace = await service.workspace({ credits: 100, ...options });
  return {
    ...workspace,
    personaId: await workspace.persona({ job_title: ['CTO'], location: ['France'], tag: 'Buyers' }),
    summary: (): Promise<Answer['body']> => workspace.data('GET /api/v3/account-monitoring'),
    months: async (): Promise<readonly Answer['body'][]> =>
      (await workspace.movements()).filter(({ product }) => product === 'account_monitoring'),
    verified: () => workspace.command('monitoring.verify'),
  };
}
type House = Awaited<ReturnType<typeof house>>;

const listPrice = (amount: number | null): Promise<Answer> =>
  service.ops('prices.set', { item: ITEM, credits: amount });
const partnerOf = async (): Promise<number> =>
  (await service.ops('partner.create', { name: 'Partner' })).body.partner_id;
const rateOf = (partner_id: number, amount: number): Promise<Answer> =>
  service.ops('partner.rate', { partner_id, item: ITEM, credits: amount });

describe('a new price', () => {
  open();
  beforeEach(() => listPrice(5));

  /** Workspaces whose one account needs a month while there is no monthly price. */
  async function withoutPrice(...options: readonly object[]): Promise<readonly House[]> {
    const lists: { readonly workspace: House; readonly list: SceneList }[] = [];
    for (const each of options) {
      const workspace = await house(each);
      const list = await workspace.list('customer');
      await workspace.monitor(list);
      lists.push({ workspace, list });
    }
    await listPrice(null);
    for (const { workspace, list } of lists) await addTo(workspace, 'company', list.id, ['acme']);
    await service.drain();
    for (const { workspace } of lists) {
      expect(await workspace.summary()).toMatchObject({
        price_per_account_credits: 0,
        monitored_count: 0,
        not_covered_count: 1,
        renewal_shortfall_credits: 0,
      });
    }
    return lists.map(({ workspace }) => workspace);
  }

  it('OP-27 pays at once for units that had none, before the hour', async () => {
    const [workspace] = await withoutPrice({});
    await listPrice(7.5);
    await service.drain();
    expect(await workspace?.summary()).toMatchObject({ monitored_count: 1, not_covered_count: 0 });
    expect((await workspace?.months())?.map((month) => [month.credits, month.created_at])).toEqual([
      [7.5, START],
    ]);
    expect(await workspace?.verified()).toMatchObject({ ok: true });
  });

  it('DLV-02 gives events that an account is not covered and that it is covered again, paid or free', async () => {
    const feedOf = async (workspace: House | undefined): Promise<readonly Answer['body'][]> =>
      (await workspace?.call('GET /api/v3/events'))?.body.data;
    const both = await withoutPrice({}, {});
    const [paid, free] = both;
    await service.advance('PT1H');
    await listPrice(7.5);
    await free?.command('workspace.billing', { billing: 'exempt' });
    await service.drain();
    for (const workspace of [paid, free]) {
      const [lost, again, ...others] = await feedOf(workspace);
      expect(others).toEqual([]);
      expect(lost).toMatchObject({
        type: 'account.not_covered',
        data: { company: { name: expect.any(String) }, persona_id: workspace?.personaId },
      });
      const { not_covered_reason: _reason, ...account } = lost.data;
      expect(again).toMatchObject({ type: 'account.covered_again', data: account });
    }
    const [firstPaid] = await withoutPrice({});
    expect((await feedOf(firstPaid)).map(({ type }) => type)).toEqual(['account.not_covered']);
  });

  it('OP-27 OP-25 negotiated by a partner applies to the workspaces that the partner pays', async () => {
    const [one, other] = [await partnerOf(), await partnerOf()];
    const [paid, waiting] = await withoutPrice(
      { ...NOBODY, billing: 'partner', partner_id: one },
      { ...NOBODY, billing: 'partner', partner_id: other },
    );
    const added = await service.settledEventsOf(async () => {
      await rateOf(one, 4.5);
      await service.drain();
    });
    expect(added.filter((type) => type === 'MonthsRetryAsked')).toHaveLength(1);
    expect(await paid?.summary()).toMatchObject({ monitored_count: 1, not_covered_count: 0 });
    expect((await paid?.months())?.map((month) => month.credits)).toEqual([4.5]);
    expect(await waiting?.summary()).toMatchObject({ monitored_count: 0, not_covered_count: 1 });
    await listPrice(5);
    await service.drain();
    expect(await waiting?.summary()).toMatchObject({ monitored_count: 1, not_covered_count: 0 });
  });

  it('OP-27 that the balance covers pays for units that were too expensive', async () => {
    const workspace = await house({ credits: 4 });
    await workspace.monitor(await workspace.list('customer', ['acme']));
    expect(await workspace.summary()).toMatchObject({ not_covered_count: 1, renewal_shortfall_credits: 1 });
    await listPrice(4);
    await service.drain();
    expect(await workspace.summary()).toMatchObject({ monitored_count: 1, renewal_shortfall_credits: 0 });
    expect((await workspace.months()).map((month) => month.credits)).toEqual([4]);
  });

  it('causes no retry if it is for something else, is removed, or everything is covered', async () => {
    const [workspace] = await withoutPrice({});
    const asked = async (work: () => Promise<unknown>): Promise<number> =>
      (await service.settledEventsOf(work)).filter((type) => type === 'MonthsRetryAsked').length;
    expect(await asked(() => service.ops('prices.set', { item: 'profile', credits: 2 }))).toBe(0);
    expect(await asked(() => listPrice(null))).toBe(0);
    expect(await asked(() => listPrice(5))).toBe(1);
    await service.drain();
    expect(await workspace?.summary()).toMatchObject({ not_covered_count: 0 });
    expect(await asked(() => listPrice(6))).toBe(0);
  });
});

describe('OP-25 OP-27 who pays the second month of two accounts', () => {
  type Row = {
    readonly who: string;
    readonly options?: object;
    /** The negotiated price of the partner. */
    readonly rate?: number;
    /** Before the month ends. */
    readonly change?: (workspaceId: number, partnerId: number) => Promise<unknown>;
    readonly summary: object;
    /** For each paid month, oldest first. */
    readonly payers: readonly ('workspace' | 'partner')[];
  };
  const covered = (monitored: number, notCovered: number, more: object = {}) => ({
    isBilled: true,
    monitored,
    notCovered,
    notCoveredSince: notCovered === 0 ? null : A_MONTH_LATER,
    shortfallCredits: 0,
    ...more,
  });
  const self = (balance: number): object => ({ credits: balance });
  const partner = { ...NOBODY, billing: 'partner' };
  const exempt = { ...NOBODY, billing: 'exempt' };
  const block = (workspace_id: number): Promise<Answer> =>
    service.ops('workspace.block', { workspace_id, reason: 'unpaid' });
  const bill =
    (billing: string, isPartner = false) =>
    (workspace_id: number, partner_id: number): Promise<Answer> =>
      service.ops('workspace.billing', { workspace_id, billing, ...(isPartner && { partner_id }) });
  const rows: readonly Row[] = [
    {
      who: 'the workspace that has the credits',
      options: self(20),
      summary: covered(2, 0),
      payers: ['workspace', 'workspace', 'workspace', 'workspace'],
    },
    {
      who: 'the workspace that has the credits of one, for the first one',
      options: self(15),
      summary: covered(1, 1, { shortfallCredits: 5 }),
      payers: ['workspace', 'workspace', 'workspace'],
    },
    {
      who: 'nobody, if the workspace has no credits left',
      options: self(10),
      summary: covered(0, 2, { shortfallCredits: 10 }),
      payers: ['workspace', 'workspace'],
    },
    {
      who: 'the partner, at the price of the list where it negotiated none',
      options: partner,
      summary: covered(2, 0, { price: credits(5) }),
      payers: ['partner', 'partner', 'partner', 'partner'],
    },
    {
      who: 'the partner, at the price that it negotiated',
      options: partner,
      rate: 4.5,
      summary: covered(2, 0, { price: credits(9) / 2n }),
      payers: ['partner', 'partner', 'partner', 'partner'],
    },
    {
      who: 'the partner, as far as its receivable is a number',
      options: partner,
      rate: 300_000_000,
      summary: covered(1, 1),
      payers: ['partner', 'partner', 'partner'],
    },
    {
      who: 'nobody, if the workspace is exempt',
      options: exempt,
      summary: covered(2, 0, { isBilled: false, price: 0n }),
      payers: [],
    },
    {
      who: 'nobody, while the workspace is blocked',
      options: self(20),
      change: block,
      summary: covered(0, 2),
      payers: ['workspace', 'workspace'],
    },
    {
      who: 'nobody, while a workspace is blocked whose partner would pay',
      options: partner,
      change: block,
      summary: covered(0, 2),
      payers: ['partner', 'partner'],
    },
    {
      who: 'nobody, while an exempt workspace is blocked',
      options: exempt,
      change: block,
      summary: covered(0, 2, { isBilled: false }),
      payers: [],
    },
    {
      who: 'the partner that pays from now on',
      options: self(10),
      change: bill('partner', true),
      summary: covered(2, 0),
      payers: ['workspace', 'workspace', 'partner', 'partner'],
    },
    {
      who: 'the workspace that no partner pays for any more',
      options: partner,
      change: bill('self'),
      summary: covered(0, 2, { shortfallCredits: 10 }),
      payers: ['partner', 'partner'],
    },
    {
      who: 'nobody, if the workspace is exempt meanwhile',
      options: self(10),
      change: bill('exempt'),
      summary: covered(2, 0, { isBilled: false }),
      payers: ['workspace', 'workspace'],
    },
    {
      who: 'the workspace that is billed from now on, and has no credits',
      options: exempt,
      change: bill('self'),
      summary: covered(0, 2, { shortfallCredits: 10 }),
      payers: [],
    },
  ];
  const houses = new Map<Row, House>();

  open();
  beforeAll(async () => {
    for (const row of rows) {
      const partnerId = await partnerOf();
      if (row.rate !== undefined) await rateOf(partnerId, row.rate);
      const isPartner = row.options === partner;
      const workspace = await house({ ...row.options, ...(isPartner && { partner_id: partnerId }) });
      await workspace.monitor(await workspace.list('customer', ['acme', 'globex']));
      await row.change?.(workspace.id, partnerId);
      houses.set(row, workspace);
    }
    await service.setClock(A_MONTH_LATER);
  });

  it.each(rows)('$who', async (row) => {
    const workspaceId = houses.get(row)?.id;
    if (workspaceId === undefined) throw new Error('this row has no workspace');
    const { readModels, clock } = service.service.host;
    const paid = await readModels.find(creditMovements, {
      where: { workspaceId },
      sort: [
        ['createdAt', 'asc'],
        ['id', 'asc'],
      ],
    });
    expect(paid.map(({ payer }) => payer.split(':')[0])).toEqual(row.payers);
    expect(await monitoringSummary(readModels, workspaceId, null, clock.now())).toMatchObject(row.summary);
    const { body } = await service.ops('monitoring.verify', { workspace_id: workspaceId });
    expect(body).toMatchObject({ ok: true, differences: [] });
  });
});

describe('why a month was paid', () => {
  open();

  it('MON-05 OP-26 names the lists and picks that requested the account then, whatever was set since', async () => {
    const workspace = await house();
    const key = await workspace.list('customer', ['acme'], { name: 'Key accounts' });
    await workspace.monitor(key);
    const renewal = await workspace.list('customer', ['acme'], { name: 'Renewals' });
    await workspace.monitor(renewal);
    await service.setClock(A_MONTH_LATER);
    await workspace.monitor(key, null);
    await workspace.call(`PUT /api/v2/${renewal.path}`, { name: 'Renewals of 2026' });
    await service.setClock('2026-05-10T08:00:00.000Z');
    const why = async ({ id }: Answer['body']) => {
      const { body } = await workspace.call(`GET /api/v3/credits/movements/${id}`);
      expect(await workspace.command('ledger.movement', { movement_id: id })).toEqual(body.data);
      expect(body.data.origin).toMatchObject({
        company: { name: expect.any(String) },
        persona: { id: workspace.personaId, name: 'Buyers' },
      });
      return body.data.origin.wanted_by;
    };
    const wants = ({ id, memberIds }: typeof key, name: string) => ({
      kind: 'list',
      list: { id, name },
      member_id: memberIds[0],
      account_id: null,
    });
    const [third, second, first] = await workspace.months();
    expect(await why(first)).toEqual([wants(key, 'Key accounts')]);
    expect(await why(second)).toEqual([wants(key, 'Key accounts'), wants(renewal, 'Renewals of 2026')]);
    expect(await why(third)).toEqual([wants(renewal, 'Renewals of 2026')]);
  });

  it('OP-29 names the top account that was picked, and nothing if no account was requested', async () => {
    const workspace = await house();
    await workspace.topAccounts('globex');
    const [{ id: accountId }] = await workspace.data('GET /api/v3/top-account-list/accounts');
    await workspace.call('PUT /api/v3/top-account-list/accounts/signal-buckets', {
      account_ids: [accountId],
      signal_buckets: ['essential'],
    });
    const [month] = await workspace.months();
    const detail = await workspace.data(`GET /api/v3/credits/movements/${month.id}`);
    expect(detail.origin.wanted_by).toEqual([
      { kind: 'pick', list: null, member_id: null, account_id: accountId },
    ]);
    const { movement_id } = await workspace.command('credits.hold', { key: 'k', credits: 1, product: 'x' });
    const other = await workspace.command('ledger.movement', { movement_id });
    expect(other.origin.wanted_by).toBeNull();
  });
});
