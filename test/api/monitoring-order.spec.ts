import { heldCalls } from '#test/support/held-calls.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

const PRICE = 5;
const PAGE = 100;
const ACCOUNTS = 'GET /api/v3/top-account-list/accounts';
const held = heldCalls();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({}, undefined, held.outside);
  await service.ops('prices.set', { item: 'bucket:essential', credits: PRICE });
});
// Also where a case fails: what is held would keep the service from stopping.
afterEach(() => held.release());
afterAll(() => service.stop());

type House = { readonly workspace: TestWorkspace; readonly accounts: readonly Account[] };
type Account = { readonly id: number; readonly companyId: number };

/** A workspace with so many top accounts, by company, and credits for the months of some of them. */
async function house(count: number, paid: number): Promise<House> {
  const workspace = await service.workspace({ credits: paid * PRICE });
  await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'], tag: 'Buyers' });
  await workspace.call('POST /api/v2/top-account-list/accounts', {
    accounts: Array.from({ length: count }, (_, index) => ({
      network_url: `https://www.network.example/company/of-${workspace.id}-${index}`,
    })),
  });
  await service.ops('work.drain');
  const accounts: Account[] = [];
  for (let page = 1; accounts.length < count; page += 1) {
    const { body } = await workspace.call(`${ACCOUNTS}?page_size=${PAGE}&page=${page}`);
    for (const { id, company_id } of body.data) accounts.push({ id, companyId: company_id });
  }
  return { workspace, accounts: accounts.sort((left, right) => left.companyId - right.companyId) };
}
const pickInReverse = ({ workspace, accounts }: House) =>
  workspace.call('PUT /api/v3/top-account-list/accounts/signal-buckets', {
    account_ids: accounts.map(({ id }) => id).toReversed(),
    signal_buckets: ['essential'],
  });
/** Companies whose month is paid, by id. */
async function paidCompanies({ workspace, accounts }: House): Promise<readonly number[]> {
  const companyIds: number[] = [];
  for (let page = 1; (page - 1) * PAGE < accounts.length; page += 1) {
    const { body } = await workspace.call(`${ACCOUNTS}?page_size=${PAGE}&page=${page}`);
    for (const { company_id, monitoring } of body.data)
      if (monitoring.covered_until !== null) companyIds.push(company_id);
  }
  return companyIds.sort((left, right) => left - right);
}
const firstOf = ({ accounts }: House, count: number): readonly number[] =>
  accounts.slice(0, count).map(({ companyId }) => companyId);

it('OP-27 nothing is paid of what begins together before all of it is wanted', async () => {
  const of = await house(6, 3);
  const [first] = firstOf(of, 1);
  held.hold((method, [stream]) => method === 'append' && stream === `monitoring-${of.workspace.id}_${first}`);
  const picked = pickInReverse(of);
  await held.reached();
  // A worker sees the other five meanwhile, and looks again and again.
  for (let looks = 0; looks < 150 && (await paidCompanies(of)).length === 0; looks += 1);
  expect(await paidCompanies(of)).toEqual([]);
  held.release();
  expect((await picked).status).toBe(200);
  await service.ops('work.drain');
  expect(await paidCompanies(of)).toEqual(firstOf(of, 3));
});

it('OP-27 a balance covers the first by company, in whatever order and however many are picked', async () => {
  const of = await house(260, 130);
  expect((await pickInReverse(of)).status).toBe(200);
  await service.ops('work.drain');
  expect(await paidCompanies(of)).toEqual(firstOf(of, 130));
});
