import type { EventStore } from '#kernel/ports/event-store.port.js';
import { verifyMonitoring } from '#monitoring/verify-monitoring.js';
import { refusal } from '#test/support/expected-answers.js';
import { observedCompany } from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const START = '2026-01-31T10:00:00.000Z';

describe('account monitoring', () => {
  const service = scene({
    at: START,
    network: ['acme', 'globex', 'initech'].map((handle) => observedCompany(handle)),
  });

  /** Workspaces of finished tests are retired, so that their months are not processed during later tests. */
  const opened: number[] = [];
  afterEach(async () => {
    await service.drain();
    for (const workspace_id of opened.splice(0)) {
      const { body } = await service.ops('monitoring.verify', { workspace_id });
      expect(body).toEqual({ ok: true, units: expect.any(Number), differences: [] });
      await service.retire(workspace_id);
    }
  });

  async function withPersonas(count: number, options: object = {}) {
    const workspace = await service.workspace({ credits: 100, ...options });
    opened.push(workspace.id);
    const personaIds: number[] = [];
    for (let index = 0; index < count; index += 1)
      personaIds.push(
        await workspace.persona({ job_title: ['CTO'], location: ['France'], tag: `unit ${index}` }),
      );
    return { workspace, personaIds };
  }
  /** The answer to a change of monitoring. */
  const monitor = (workspace: SceneWorkspace, path: string, signal_buckets: unknown = ['essential']) =>
    workspace.call(`PUT /api/v3/${path}`, { signal_buckets });
  const summary = (workspace: SceneWorkspace, query = ''): Promise<Answer['body']> =>
    workspace.data(`GET /api/v3/account-monitoring${query}`);
  const archive = (workspace: SceneWorkspace, persona_id: number | undefined, archived: boolean) =>
    service.ops('persona.archive', { workspace_id: workspace.id, persona_id, archived });

  it('MON-20 MON-26 MON-50 monitors all members of a list and pays one month of each at once', async () => {
    const { workspace, personaIds } = await withPersonas(1);
    const { path } = await workspace.list('customer', ['acme', 'globex']);
    const { status, body } = await monitor(workspace, path);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ signal_buckets: ['essential'], monitored_count: 2 });
    const paid = await workspace.movements();
    expect(paid.map(({ product, credits, status: s }: Answer['body']) => [product, credits, s])).toEqual([
      ['account_monitoring', 5, 'captured'],
      ['account_monitoring', 5, 'captured'],
    ]);
    expect(await summary(workspace)).toEqual({
      is_billed: true,
      price_per_account_credits: 5,
      monitored_count: 2,
      not_covered_count: 0,
      not_covered_since: null,
      monthly_cost_credits: 10,
      renewal_shortfall_credits: 0,
      by_business_unit: [
        { persona_id: personaIds[0], monitored_count: 2, not_covered_count: 0, monthly_cost_credits: 10 },
      ],
    });
    expect(service.now()).toBe(START);
    await service.setClock('2026-02-28T09:59:59.000Z');
    expect(await workspace.movements()).toHaveLength(2);
    await service.setClock('2026-02-28T10:00:00.000Z');
    expect(await workspace.movements()).toHaveLength(4);
    await service.setClock('2026-03-31T09:59:59.000Z');
    expect(await workspace.movements()).toHaveLength(4);
    await service.setClock('2026-03-31T10:00:00.000Z');
    expect(await workspace.movements()).toHaveLength(6);
  });

  /** Sets the clock to a time that no other test of this file has used, and returns it. */
  async function freshTime(at: string): Promise<void> {
    if (at > service.now()) await service.setClock(at);
    expect(service.now()).toBe(at);
  }

  it('SUP-01 PER-17 MON-04 MON-05 MON-11 MON-13 MON-27 MON-28 INV-06 counts and pays an account in each business unit', async () => {
    await freshTime('2026-04-01T00:00:00.000Z');
    const { workspace, personaIds } = await withPersonas(3);
    const [first = 0, second = 0, third = 0] = personaIds;
    const some = await workspace.list('customer', ['acme'], { persona_ids: [first, second] });
    await workspace.monitor(some);
    const all = await workspace.list('customer', ['acme', 'globex']);
    expect((await monitor(workspace, all.path)).body.data.monitored_count).toBe(2);
    const total = await summary(workspace);
    expect(total.by_business_unit).toEqual(
      [first, second, third].map((persona_id) => ({
        persona_id,
        monitored_count: 2,
        not_covered_count: 0,
        monthly_cost_credits: 10,
      })),
    );
    expect(total).toMatchObject({ monitored_count: 6, monthly_cost_credits: 30 });
    // An account on both lists is paid for once in each business unit.
    const paid = (await workspace.movements()).map(({ credits }) => credits);
    expect(paid).toEqual([5, 5, 5, 5, 5, 5]);
  });

  it('MON-09 MON-12 MON-13 shows what one business unit lacks, and what all of them lack', async () => {
    await freshTime('2026-04-10T00:00:00.000Z');
    const { workspace, personaIds } = await withPersonas(2, { credits: 12 });
    await workspace.monitor(await workspace.list('customer', ['acme', 'globex']));
    expect(await summary(workspace)).toMatchObject({ not_covered_count: 2, renewal_shortfall_credits: 8 });
    for (const personaId of personaIds)
      expect(await summary(workspace, `?persona_id=${personaId}`)).toMatchObject({
        monitored_count: 1,
        not_covered_count: 1,
        renewal_shortfall_credits: 3,
      });
  });

  it('MON-12 MON-14 MON-15 sums up one business unit, and refuses an unknown one', async () => {
    const { workspace, personaIds } = await withPersonas(2);
    await workspace.monitor(await workspace.list('customer', ['acme'], { persona_ids: [personaIds[1]] }));
    const ofFirst = await summary(workspace, `?persona_id=${personaIds[0]}`);
    expect(ofFirst).toMatchObject({ monitored_count: 0, monthly_cost_credits: 0 });
    expect(ofFirst.by_business_unit).toHaveLength(2);
    expect(await summary(workspace, `?persona_id=${personaIds[1]}`)).toMatchObject({ monitored_count: 1 });
    for (const persona of ['abc', '0', '999999999'])
      await refusal(
        422,
        workspace.call(`GET /api/v3/account-monitoring?persona_id=${persona}`),
        'persona_id',
      );
    expect((await service.call('GET /api/v3/account-monitoring')).status).toBe(401);
  });

  it('MON-21 MON-29 monitors members who join later, and none that is not followed', async () => {
    const { workspace } = await withPersonas(1);
    const { path, memberIds } = await workspace.list('customer', ['acme', 'globex']);
    await workspace.call(`PATCH /api/v2/${path}/members/${memberIds[0]}/tracking-status`, {
      tracking_status: 'unfollowed',
    });
    expect((await monitor(workspace, path)).body.data.monitored_count).toBe(1);
    await workspace.call(`POST /api/v2/${path}/members`, { members: [{ network_handle: 'initech' }] });
    await service.drain();
    expect(await summary(workspace)).toMatchObject({ monitored_count: 2 });
    expect(await workspace.movements()).toHaveLength(2);
    await workspace.call(`PATCH /api/v2/${path}/members/${memberIds[0]}/tracking-status`, {
      tracking_status: null,
    });
    await service.drain();
    expect(await workspace.movements()).toHaveLength(3);
    await workspace.call(`PATCH /api/v2/${path}/members/${memberIds[1]}/tracking-status`, {
      tracking_status: 'unfollowed',
    });
    await service.drain();
    expect(await summary(workspace)).toMatchObject({ monitored_count: 2 });
    expect(await workspace.movements()).toHaveLength(3);
  });

  it('MON-22 MON-24 MON-25 sets single members, and resets them when the whole list is set', async () => {
    const { workspace } = await withPersonas(1);
    const { path, memberIds } = await workspace.list('customer', ['acme', 'globex']);
    const set = (memberId: number | undefined, signal_buckets: unknown) =>
      workspace.call(`PATCH /api/v3/${path}/members/${memberId}/signal-buckets`, { signal_buckets });
    const membersOf = async (query = ''): Promise<readonly (readonly [number, unknown])[]> => {
      const { body } = await workspace.call(`GET /api/v3/${path}/members${query}`);
      expect(body.pagination?.total_count ?? body.data.length).toBe(body.data.length);
      return body.data.map((member: Answer['body']) => [member.id, member.signal_buckets]);
    };
    const [acme = 0, globex = 0] = memberIds;
    const one = await set(acme, ['essential']);
    expect([one.status, one.body.data.signal_buckets]).toEqual([200, ['essential']]);
    expect(await membersOf()).toEqual([
      [acme, ['essential']],
      [globex, null],
    ]);
    expect(await membersOf('?signal_buckets=essential')).toEqual([[acme, ['essential']]]);
    expect(await membersOf('?signal_buckets=none')).toEqual([[globex, null]]);
    expect((await workspace.call(`GET /api/v3/${path}`)).body.data).toMatchObject({
      signal_buckets: null,
      monitored_count: 1,
    });
    expect((await monitor(workspace, path)).body.data.monitored_count).toBe(2);
    expect((await set(globex, null)).body.data.signal_buckets).toBeNull();
    expect(await membersOf('?signal_buckets=none')).toEqual([[globex, null]]);
    expect(await membersOf('?signal_buckets=essential')).toEqual([[acme, ['essential']]]);
    const stopped = await monitor(workspace, path, null);
    expect(stopped.body.data).toMatchObject({ signal_buckets: null, monitored_count: 0 });
    await set(acme, ['essential']);
    expect((await monitor(workspace, path, null)).body.data.monitored_count).toBe(0);
    expect(await membersOf('?signal_buckets=essential')).toEqual([]);
    expect((await workspace.call(`GET /api/v3/${path}/members?signal_buckets=some`)).status).toBe(400);
    // Two accounts were monitored in this month, and paid once each.
    expect(await workspace.movements()).toHaveLength(2);
  });

  it('MON-23 MON-30 OP-28 INV-07 refuses unknown buckets, other lists and unknown objects', async () => {
    const { workspace } = await withPersonas(1);
    const { path, memberIds } = await workspace.list('customer', ['acme']);
    const people = await workspace.list('champion');
    await service.expectSettledEvents([], async () => {
      for (const buckets of [['standard'], 'x', ['essential', 'x'], [], 5]) {
        const list = await monitor(workspace, path, buckets);
        const member = await workspace.call(`PATCH /api/v3/${path}/members/${memberIds[0]}/signal-buckets`, {
          signal_buckets: buckets,
        });
        for (const { status, body } of [list, member]) {
          expect(status).toBe(422);
          expect(Object.keys(body.errors).map((name) => name.split('.')[0])).toEqual(['signal_buckets']);
        }
      }
      expect((await workspace.call(`PUT /api/v3/${path}`, {})).status).toBe(422);
      await refusal(422, monitor(workspace, people.path), 'signal_buckets');
      expect((await monitor(workspace, path.replace('company', 'profile'))).status).toBe(404);
      expect((await monitor(workspace, 'lists/company/999999999')).status).toBe(404);
      const nobody = await workspace.call(`PATCH /api/v3/${path}/members/999999999/signal-buckets`, {
        signal_buckets: ['essential'],
      });
      expect(nobody.status).toBe(404);
    });
    const { workspace: other } = await withPersonas(0);
    const without = await other.list('customer', ['acme']);
    const refused = await monitor(other, without.path);
    expect([refused.status, refused.body.title]).toEqual([422, 'Persona incomplete']);
  });

  it('OP-27 refuses a start without a price, and changes nothing', async () => {
    await service.command('prices.set', { item: 'bucket:essential', credits: null });
    try {
      const { workspace } = await withPersonas(1);
      const { path } = await workspace.list('customer', ['acme']);
      await service.expectSettledEvents([], async () => {
        const refused = await monitor(workspace, path);
        expect([refused.status, refused.body.title]).toEqual([409, 'Price not available']);
      });
    } finally {
      await service.command('prices.set', { item: 'bucket:essential', credits: 5 });
    }
  });

  it('MON-56 MON-57 MON-58 never refunds a stop, renews nothing after it, and charges no month twice', async () => {
    await freshTime('2026-05-10T00:00:00.000Z');
    const { workspace } = await withPersonas(1);
    const list = await workspace.list('customer', ['acme']);
    await workspace.monitor(list);
    await service.setClock('2026-05-20T00:00:00.000Z');
    await workspace.monitor(list, null);
    await workspace.monitor(list);
    await workspace.monitor(list, null);
    expect((await workspace.movements()).map(({ status }) => status)).toEqual(['captured']);
    await service.setClock('2026-07-01T00:00:00.000Z');
    expect(await workspace.movements()).toHaveLength(1);
    await workspace.monitor(list);
    expect(await workspace.movements()).toHaveLength(2);
  });

  it('MON-06 MON-07 MON-09 MON-53 MON-60 MON-61 STM-09 covers accounts in order, as far as the balance allows', async () => {
    await freshTime('2026-08-01T00:00:00.000Z');
    const { workspace } = await withPersonas(1, { credits: 12 });
    const { path, memberIds } = await workspace.list('customer', ['acme', 'globex', 'initech']);
    const { status, body } = await monitor(workspace, path);
    expect([status, body.data.monitored_count]).toEqual([200, 2]);
    expect(await summary(workspace)).toMatchObject({
      monitored_count: 2,
      not_covered_count: 1,
      not_covered_since: '2026-08-01T00:00:00.000Z',
      monthly_cost_credits: 10,
      renewal_shortfall_credits: 3,
    });
    expect(memberIds).toHaveLength(3);
    // Units that wait are retried every hour: two hours are enough.
    await monitor(workspace, path, null);
    await service.setClock('2026-08-31T23:00:00.000Z');
    await monitor(workspace, path);
    expect(await summary(workspace)).toMatchObject({ monitored_count: 2, not_covered_count: 1 });
    await service.setClock('2026-09-01T00:00:00.000Z');
    expect(await summary(workspace)).toMatchObject({
      monitored_count: 0,
      not_covered_count: 3,
      not_covered_since: '2026-08-31T23:00:00.000Z',
      renewal_shortfall_credits: 13,
    });
    expect(await workspace.movements()).toHaveLength(2);
  });

  it('MON-54 MON-55 OP-27 retries every hour and after a grant, the longest uncovered first', async () => {
    await freshTime('2026-10-05T08:00:00.000Z');
    const { workspace } = await withPersonas(1, { credits: 10 });
    const first = await workspace.list('customer', ['acme']);
    await workspace.monitor(first);
    await workspace.command('credits.hold', { key: 'k', credits: 5, product: 'x' });
    await service.setClock('2026-10-05T10:00:00.000Z');
    const second = await workspace.list('customer', ['globex', 'initech']);
    await workspace.monitor(second);
    expect(await summary(workspace)).toMatchObject({ monitored_count: 1, not_covered_count: 2 });
    await workspace.command('credits.grant', { credits: 5, reason: 'top-up' });
    await service.drain();
    expect(await summary(workspace)).toMatchObject({ monitored_count: 2, not_covered_count: 1 });
    await workspace.command('credits.release', { key: 'k' });
    await service.drain();
    expect(await summary(workspace)).toMatchObject({ monitored_count: 2, not_covered_count: 1 });
    await service.setClock('2026-10-05T11:00:00.000Z');
    expect(await summary(workspace)).toMatchObject({
      monitored_count: 3,
      not_covered_count: 0,
      not_covered_since: null,
      renewal_shortfall_credits: 0,
    });
  });

  it('OP-27 pays in one retry as many uncovered units as it can, by since when, company and business unit', async () => {
    await freshTime('2026-10-08T10:00:00.000Z');
    const { workspace, personaIds } = await withPersonas(2, { credits: 25 });
    await workspace.command('credits.hold', { key: 'k', credits: 25, product: 'x' });
    const later = await workspace.list('customer', ['acme', 'globex']);
    const longest = await workspace.list('customer', ['initech']);
    // Companies have ids in the order in which they are first monitored.
    await workspace.monitor(later);
    await monitor(workspace, later.path, null);
    await service.setClock('2026-10-08T10:10:00.000Z');
    await workspace.monitor(longest);
    await service.setClock('2026-10-08T10:20:00.000Z');
    await workspace.monitor(later);
    expect(await summary(workspace)).toMatchObject({ monitored_count: 0, not_covered_count: 6 });
    await workspace.command('credits.release', { key: 'k' });
    await service.setClock('2026-10-08T11:20:00.000Z');
    const { accounts } = await workspace.command('monitoring.accounts');
    const months = accounts.map(({ company_name, persona_id, months: shown }: Answer['body']) => ({
      unit: [company_name, personaIds.indexOf(persona_id)],
      paidBy: shown.at(-1).movement_id,
    }));
    const inOrder = months.toSorted(
      (one: Answer['body'], other: Answer['body']) => one.paidBy - other.paidBy,
    );
    expect(inOrder.map(({ unit }: Answer['body']) => unit)).toEqual([
      ['globex', 1],
      ['initech', 0],
      ['initech', 1],
      ['acme', 0],
      ['acme', 1],
      ['globex', 0],
    ]);
    expect(inOrder[0].paidBy).toBeNull();
  });

  it('OP-27 uses released credits at the next hour, and the new month begins then', async () => {
    await freshTime('2026-10-20T08:30:00.000Z');
    const { workspace } = await withPersonas(1, { credits: 5 });
    await workspace.command('credits.hold', { key: 'k', credits: 1, product: 'x' });
    await workspace.monitor(await workspace.list('customer', ['acme']));
    await workspace.command('credits.release', { key: 'k' });
    await service.drain();
    expect(await summary(workspace)).toMatchObject({ not_covered_count: 1 });
    await service.setClock('2026-10-20T09:29:59.000Z');
    expect(await summary(workspace)).toMatchObject({ not_covered_count: 1 });
    await service.setClock('2026-10-20T09:30:00.000Z');
    expect(await summary(workspace)).toMatchObject({ monitored_count: 1, not_covered_count: 0 });
    const [movement] = (await workspace.movements()).filter(
      ({ product }) => product === 'account_monitoring',
    );
    expect(movement).toMatchObject({ credits: 5, created_at: '2026-10-20T09:30:00.000Z' });
  });

  it('MON-02 MON-10 MON-59 OP-25 charges an exempt workspace nothing, and never refuses a partner', async () => {
    await freshTime('2026-11-01T00:00:00.000Z');
    const { workspace: exempt } = await withPersonas(1, { billing: 'exempt', credits: undefined });
    const free = await exempt.list('customer', ['acme']);
    expect((await monitor(exempt, free.path)).body.data.monitored_count).toBe(1);
    expect(await summary(exempt)).toMatchObject({
      is_billed: false,
      price_per_account_credits: 0,
      monitored_count: 1,
      monthly_cost_credits: 0,
      renewal_shortfall_credits: 0,
    });
    const { body: partner } = await service.ops('partner.create', { name: 'Partner' });
    await service.command('partner.rate', {
      partner_id: partner.partner_id,
      item: 'bucket:essential',
      credits: 4.5,
    });
    const { workspace: paidFor } = await withPersonas(1, {
      billing: 'partner',
      partner_id: partner.partner_id,
      credits: undefined,
    });
    await paidFor.monitor(await paidFor.list('customer', ['acme', 'globex']));
    await service.setClock('2026-12-01T00:00:00.000Z');
    expect(await summary(paidFor)).toMatchObject({
      is_billed: true,
      price_per_account_credits: 4.5,
      monitored_count: 2,
      not_covered_count: 0,
      monthly_cost_credits: 9,
      renewal_shortfall_credits: 0,
    });
    expect((await paidFor.movements()).map(({ credits }) => credits)).toEqual([4.5, 4.5, 4.5, 4.5]);
    expect(await exempt.movements()).toEqual([]);
    expect(await summary(exempt)).toMatchObject({ monitored_count: 1, not_covered_count: 0 });
  });

  it('OP-26 stops requests by archiving, deleting and removing, and restores them', async () => {
    await freshTime('2027-01-05T00:00:00.000Z');
    const { workspace, personaIds } = await withPersonas(2);
    const { path, memberIds } = await workspace.list('customer', ['acme', 'globex']);
    await monitor(workspace, path);
    const monitored = async (): Promise<number> => {
      await service.drain();
      return (await summary(workspace)).monitored_count;
    };
    expect(await monitored()).toBe(4);
    await workspace.call(`PUT /api/v2/${path}`, { archived: true });
    expect(await monitored()).toBe(0);
    await workspace.call(`PUT /api/v2/${path}`, { archived: false });
    expect(await monitored()).toBe(4);
    await workspace.call(`DELETE /api/v2/${path}`);
    expect(await monitored()).toBe(0);
    await workspace.call(`POST /api/v2/${path}/restore`);
    expect(await monitored()).toBe(4);
    await workspace.call(`DELETE /api/v2/${path}/members/${memberIds[0]}`);
    expect(await monitored()).toBe(2);
    await archive(workspace, personaIds[0], true);
    expect(await monitored()).toBe(1);
    await archive(workspace, personaIds[0], false);
    expect(await monitored()).toBe(2);
    await workspace.persona({ job_title: ['CFO'], location: ['France'], tag: 'later' });
    expect(await monitored()).toBe(3);
    await workspace.call(`PUT /api/v2/${path}`, { persona_ids: [personaIds[1]] });
    expect(await monitored()).toBe(1);
    // Four at the start, and the one of the third business unit.
    expect(await workspace.movements()).toHaveLength(5);
  });

  it('OP-27 waits while the workspace is blocked, and continues when it is unblocked', async () => {
    await freshTime('2027-02-01T00:00:00.000Z');
    const { workspace } = await withPersonas(1);
    await workspace.monitor(await workspace.list('customer', ['acme']));
    await workspace.command('workspace.block', { reason: 'unpaid' });
    await service.setClock('2027-03-05T00:00:00.000Z');
    await workspace.command('workspace.unblock', { reason: 'paid' });
    await service.drain();
    const months = (await workspace.movements()).map(({ created_at }) => created_at);
    expect(months).toEqual(['2027-03-05T00:00:00.000Z', '2027-02-01T00:00:00.000Z']);
    await service.setClock('2027-04-05T00:00:00.000Z');
    expect(await workspace.movements()).toHaveLength(3);
  });

  it('OPS-23 reports every difference between the log and the answers', async () => {
    const { workspace, personaIds } = await withPersonas(1, { credits: 5 });
    await workspace.monitor(await workspace.list('customer', ['acme', 'globex']));
    const { commands, readModels, eventStore, clock } = service.service.host;
    const whatWithout = async (forgotten: string): Promise<readonly string[]> => {
      const readAll: EventStore['readAll'] = ({ types = [], ...read } = {}) =>
        eventStore.readAll({ ...read, types: types.filter((type) => type !== forgotten) });
      const host = { commands, readModels, eventStore: { readAll }, clock };
      const { differences } = await verifyMonitoring(host, workspace.id);
      return [...new Set(differences.map(({ what }) => what.replace(/ of .*|company.*|list:.*/, '')))].sort();
    };
    expect(await whatWithout('nothing')).toEqual([]);
    expect(await whatWithout('CreditsHeld')).toEqual(['covered_until', 'lapse']);
    expect(await whatWithout('CreditsCaptured')).toEqual([`months`]);
    expect(await whatWithout('MonthsRefused')).toEqual([
      'monitored_count',
      'not_covered_count',
      'not_covered_reason',
      'not_covered_since',
      'renewal_shortfall',
      'status',
    ]);
    expect(await whatWithout('ListMonitoringSet')).toEqual(['']);
    expect(personaIds).toHaveLength(1);
  });

  it('MON-05 adds up spending by account, business unit and month in the statement on request', async () => {
    await freshTime('2027-05-10T00:00:00.000Z');
    const { workspace, personaIds } = await withPersonas(2);
    await workspace.monitor(await workspace.list('customer', ['acme']));
    await service.setClock('2027-06-10T00:00:00.000Z');
    const asked = { workspace_id: workspace.id };
    const { groups, ...same } = (
      await service.ops('ledger.statement', { ...asked, group_by: 'account,persona,month' })
    ).body;
    const account = groups[0].account;
    expect(groups).toEqual(
      personaIds.flatMap((persona) =>
        ['2027-05', '2027-06'].map((month) => ({ account, persona, month, movements: 1, spend: 5 })),
      ),
    );
    // Without the option the statement is unchanged.
    expect((await service.ops('ledger.statement', asked)).body).toEqual(same);
    expect(JSON.stringify((await service.ops('ledger.statement', asked)).body)).toBe(JSON.stringify(same));
    expect((await service.ops('ledger.statement', { ...asked, group_by: 'weekday' })).status).toBe(422);
  });

  it('OPS-24 forecasts the cost of months, and the end of the balance', async () => {
    await freshTime('2027-06-15T00:00:00.000Z');
    const { workspace } = await withPersonas(1, { credits: 22 });
    await workspace.monitor(await workspace.list('customer', ['acme', 'globex']));
    const asked = { workspace_id: workspace.id };
    expect((await service.ops('monitoring.forecast', asked)).body).toEqual({
      days: [
        { date: '2027-07-15', credits_due: 10, balance_after: 2 },
        { date: '2027-08-15', credits_due: 10, balance_after: -8 },
      ],
      months: [
        { month: '2027-07', credits_due: 10, balance_after: 2 },
        { month: '2027-08', credits_due: 10, balance_after: -8 },
      ],
      runs_out_at: '2027-08-15T00:00:00.000Z',
    });
    const short = await service.ops('monitoring.forecast', { ...asked, months: 2 });
    expect(short.body).toMatchObject({ days: [{ date: '2027-07-15' }], runs_out_at: null });
    for (const months of [0, 25, 1.5]) {
      expect((await service.ops('monitoring.forecast', { ...asked, months })).status).toBe(422);
    }
  });

  describe('for top accounts', () => {
    type Statuses = readonly (readonly [number, string])[];
    async function topAccountsOf(workspace: SceneWorkspace): Promise<readonly number[]> {
      await workspace.topAccounts('acme', 'globex', 'initech');
      const accounts = await workspace.data('GET /api/v2/top-account-list/accounts');
      return accounts.map(({ id }: { id: number }) => id);
    }
    const pick = (workspace: SceneWorkspace, body: object) =>
      workspace.call('PUT /api/v3/top-account-list/accounts/signal-buckets', {
        signal_buckets: ['essential'],
        ...body,
      });
    const statusesOf = async (workspace: SceneWorkspace, query = ''): Promise<Statuses> => {
      const { body } = await workspace.call(`GET /api/v3/top-account-list/accounts${query}`);
      return body.data.map((account: Answer['body']) => [account.id, account.monitoring.status]);
    };

    it('MON-40 MON-41 MON-42 MON-43 MON-44 OP-29 OP-30 picks accounts for one business unit, and shows the status of each', async () => {
      await freshTime('2027-07-31T10:00:00.000Z');
      const { workspace, personaIds } = await withPersonas(2);
      const [first, second] = personaIds;
      const [acme = 0, globex = 0, initech = 0] = await topAccountsOf(workspace);
      const { status, body } = await pick(workspace, { account_ids: [globex, acme], persona_id: first });
      expect(status).toBe(200);
      expect(body.data.map((account: Answer['body']) => [account.id, account.monitoring])).toEqual(
        [globex, acme].map((id) => [
          id,
          {
            status: 'monitored',
            covered_until: '2027-08-31T10:00:00.000Z',
            not_covered_since: null,
            not_covered_reason: null,
          },
        ]),
      );
      expect(await workspace.movements()).toHaveLength(2);
      expect(await statusesOf(workspace, `?persona_id=${first}`)).toEqual([
        [acme, 'monitored'],
        [globex, 'monitored'],
        [initech, 'not_monitored'],
      ]);
      expect(await statusesOf(workspace, `?persona_id=${second}`)).toEqual([
        [acme, 'monitored_elsewhere'],
        [globex, 'monitored_elsewhere'],
        [initech, 'not_monitored'],
      ]);
      expect(await statusesOf(workspace, '?monitoring_status=monitored')).toHaveLength(2);
      const filtered = `?persona_id=${second}&monitoring_status=not_monitored&monitoring_status=not_covered`;
      expect(await statusesOf(workspace, filtered)).toEqual([[initech, 'not_monitored']]);
      const stopped = await pick(workspace, { account_ids: [acme], persona_id: first, signal_buckets: null });
      expect(stopped.body.data[0].monitoring).toEqual({
        status: 'not_monitored',
        covered_until: '2027-08-31T10:00:00.000Z',
        not_covered_since: null,
        not_covered_reason: null,
      });
      expect(await summary(workspace)).toMatchObject({ monitored_count: 1 });
    });

    it('OP-26 OP-29 a pick is a reason besides the lists, rests with its persona and ends with its account', async () => {
      const { workspace, personaIds } = await withPersonas(1);
      const [personaId] = personaIds;
      const [acme = 0, globex = 0] = await topAccountsOf(workspace);
      await workspace.monitor(await workspace.list('customer', ['acme']));
      await pick(workspace, { account_ids: [acme, globex] });
      expect(await workspace.movements()).toHaveLength(2);
      const back = await pick(workspace, { account_ids: [acme], signal_buckets: null });
      expect(back.body.data[0].monitoring.status).toBe('monitored');
      await archive(workspace, personaId, true);
      await service.drain();
      expect((await statusesOf(workspace)).map(([, status]) => status)).toEqual(
        Array(3).fill('not_monitored'),
      );
      await archive(workspace, personaId, false);
      await service.drain();
      expect(await statusesOf(workspace, '?monitoring_status=monitored')).toHaveLength(2);
      await workspace.command('topaccount.remove', { account_id: globex });
      await service.drain();
      expect(await summary(workspace)).toMatchObject({ monitored_count: 1 });
      expect(await workspace.movements()).toHaveLength(2);
    });

    it('OP-29 OP-30 INV-07 refuses accounts that cannot be picked, and changes nothing', async () => {
      const { workspace, personaIds } = await withPersonas(2);
      const [acme = 0] = await topAccountsOf(workspace);
      await service.expectSettledEvents([], async () => {
        for (const [body, field] of [
          [{ account_ids: [acme] }, 'persona_id'],
          [{ account_ids: [acme], persona_id: 999_999_999 }, 'persona_id'],
          [{ account_ids: [acme, 999_999_999], persona_id: personaIds[0] }, 'account_ids'],
          [{ account_ids: [acme, acme], persona_id: personaIds[0] }, 'account_ids'],
          [{ account_ids: [], persona_id: personaIds[0] }, 'account_ids'],
          [
            { account_ids: [acme], persona_id: personaIds[0], signal_buckets: ['standard'] },
            'signal_buckets',
          ],
        ] as const) {
          const { status, body: problem } = await pick(workspace, body);
          expect([field, status]).toEqual([field, 422]);
          expect(Object.keys(problem.errors).map((name) => name.split('.')[0])).toEqual([field]);
        }
      });
      for (const personaId of personaIds)
        await workspace.call(`PATCH /api/v2/personas/${personaId}`, { archived: true });
      await service.drain();
      for (const [body, title] of [
        [{ account_ids: [acme] }, 'Persona incomplete'],
        [{ account_ids: [acme], persona_id: personaIds[0] }, 'Unprocessable Entity'],
        [{ account_ids: [acme], persona_id: 999_999_999 }, 'Unprocessable Entity'],
      ] as const) {
        const { status, body: problem } = await service.refused(() => pick(workspace, body));
        expect([status, problem.title]).toEqual([422, title]);
        expect(Object.keys(problem.errors ?? {})).toEqual(['persona_id']);
      }
      const list = 'GET /api/v3/top-account-list/accounts';
      expect((await workspace.call(`${list}?monitoring_status=watched`)).status).toBe(400);
      expect((await workspace.call(`${list}?persona_id=999999999`)).status).toBe(422);
      // An archived persona is no business unit, here as in the summary (OP-30, PER-15).
      for (const route of [list, 'GET /api/v3/account-monitoring']) {
        const { status, body: problem } = await workspace.call(`${route}?persona_id=${personaIds[0]}`);
        expect([route, status, Object.keys(problem.errors ?? {})]).toEqual([route, 422, ['persona_id']]);
      }
    });
  });
});
