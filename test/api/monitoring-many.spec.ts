import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const START = '2026-03-10T08:00:00.000Z';
const A_MONTH_LATER = '2026-04-10T08:00:00.000Z';
/** More than one piece of everything that is processed in pieces, and more than one turn of renewals. */
const MANY = 620;
const PRICE = 5;

describe('more top accounts than one piece of work', () => {
  let personaId: number;
  let accountIds: readonly number[];
  const service = scene({ at: START });
  const workspace = sharedWorkspace(service, { credits: 3 * MANY * PRICE }, async (made) => {
    personaId = await made.persona();
    await made.topAccounts(...Array.from({ length: MANY }, (_, index) => `account-${index}`));
    accountIds = await idsOf('');
  });

  const accounts = (query: string): Promise<Answer> =>
    workspace.call(`GET /api/v3/top-account-list/accounts?page_size=100${query}`);
  /** Ids of all accounts of this query, page by page. */
  async function idsOf(query: string): Promise<readonly number[]> {
    const ids: number[] = [];
    for (let page = 1; ; page += 1) {
      const { data, meta } = (await accounts(`${query}&page=${page}`)).body;
      ids.push(...data.map(({ id }: { id: number }) => id));
      if (data.length === 0 || ids.length >= meta.pagination.total) return ids;
    }
  }
  const pick = (ids: readonly number[], buckets: unknown = ['essential']): Promise<Answer> =>
    workspace.call('PUT /api/v3/top-account-list/accounts/signal-buckets', {
      account_ids: ids,
      signal_buckets: buckets,
    });
  const summary = (): Promise<Answer['body']> => workspace.data('GET /api/v3/account-monitoring');
  const archive = async (archived: boolean): Promise<void> => {
    await workspace.command('persona.archive', { persona_id: personaId, archived });
    await service.drain();
  };
  const expectVerified = async (): Promise<void> => {
    expect(await workspace.command('monitoring.verify')).toMatchObject({ ok: true, differences: [] });
  };

  it('MON-41 OP-30 are filtered by status on any page', async () => {
    expect(accountIds).toHaveLength(MANY);
    const [first = 0, second = 0, last = 0] = [accountIds[2], accountIds[540], accountIds[MANY - 1]];
    await pick([last, second, first]);
    const found = await accounts('&monitoring_status=monitored');
    expect(found.body.data.map(({ id }: { id: number }) => id)).toEqual([first, second, last]);
    const page = await workspace.call(
      'GET /api/v3/top-account-list/accounts?monitoring_status=monitored&page_size=1&page=3',
    );
    expect(page.body.data.map(({ id }: { id: number }) => id)).toEqual([last]);
    expect(page.body.meta.pagination.total).toBe(3);
    const others = await idsOf('&monitoring_status=not_monitored');
    expect(others).toEqual(accountIds.filter((id) => ![first, second, last].includes(id)));
  });

  it('OP-29 OP-28 a selection of them is monitored and paid when the request is answered', async () => {
    const { status, body } = await pick(accountIds);
    expect(status).toBe(200);
    expect(new Set(body.data.map((account: Answer['body']) => account.monitoring.status))).toEqual(
      new Set(['monitored']),
    );
    expect(await summary()).toMatchObject({ monitored_count: MANY, not_covered_count: 0 });
    expect((await workspace.balance()).captured).toBe(MANY * PRICE);
    await expectVerified();
  });

  it('OPS-24 are forecast once each, page by page', async () => {
    const { months } = await workspace.command('monitoring.forecast', { months: 2 });
    expect(months).toMatchObject([{ month: '2026-04', credits_due: MANY * PRICE }]);
  });

  it('MON-52 OP-27 are renewed turn by turn, each of them once', async () => {
    await service.setClock(A_MONTH_LATER);
    expect((await workspace.balance()).captured).toBe(2 * MANY * PRICE);
    expect(await summary()).toMatchObject({ monitored_count: MANY, not_covered_count: 0 });
    await expectVerified();
  });

  it('OP-26 rest with their persona and are requested again with it, except those that were removed', async () => {
    await archive(true);
    expect(await idsOf('&monitoring_status=not_monitored')).toEqual(accountIds);
    const [gone = 0] = accountIds;
    await workspace.command('topaccount.remove', { account_id: gone });
    await archive(false);
    expect(await summary()).toMatchObject({ monitored_count: MANY - 1 });
    expect((await workspace.balance()).captured).toBe(2 * MANY * PRICE);
    await expectVerified();
  });

  it('OP-29 are no longer monitored when their picks end', async () => {
    const [, ...left] = accountIds;
    await pick(left, null);
    expect(await summary()).toMatchObject({ monitored_count: 0, not_covered_count: 0 });
    expect(await idsOf('&monitoring_status=not_monitored')).toEqual(left);
    await expectVerified();
  });
});
