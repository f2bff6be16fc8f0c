import { renderTable } from '../print-result.js';
import { agree } from './agreement.js';
import type { Scene } from './demo-run.js';
import type { Json } from './demo-service.js';
import { beginsByHand } from './independent-count.js';

const HANDLES = ['acme', 'nordlicht', 'bluepeak'];
const MONTHS_LATER = 2;
const PRICE = 5;

/** The result of the demo's months: credits spent, and the movements that paid for them. */
export type MonitoredMonths = { readonly credits: number; readonly captured: number };

/**
 * Monitors three accounts, lets two months pass and shows that each was renewed exactly on time: three months of
 * three accounts, each paid once.
 */
export async function monitorAccounts(
  { service, workspaceId, apiKey }: Scene,
  say: (text?: string) => void,
): Promise<MonitoredMonths> {
  const before = await service.api(apiKey, 'GET /api/v3/credits/balance');
  const { data: list } = await service.api(apiKey, 'POST /api/v2/lists', {
    type: 'customer',
    name: 'Key accounts',
  });
  await service.api(apiKey, `POST /api/v2/lists/company/${list.id}/members`, {
    members: HANDLES.map((network_handle) => ({ network_handle })),
  });
  const { data: monitored } = await service.api(apiKey, `PUT /api/v3/lists/company/${list.id}`, {
    signal_buckets: ['essential'],
  });
  agree('monitored accounts of the list', monitored.monitored_count, HANDLES.length);
  const [first] = (await service.api(apiKey, 'GET /api/v3/usage?limit=1')).data;
  const begins = beginsByHand(first.created_at, MONTHS_LATER + 1);
  await service.operator('clock.set', { now: begins.at(-1) });

  const months = HANDLES.length * begins.length;
  // At one time of the manual clock charges are in the order of their ids, which requests and due work draw separately.
  const usage = await service.api(apiKey, 'GET /api/v3/usage?limit=100');
  const paid = usage.data.filter(({ product }: Json) => product === 'account_monitoring');
  agree('monitored months that were paid', paid.length, months);
  agree('months that were given back', paid.filter(({ status }: Json) => status !== 'captured').length, 0);
  const expected = begins.flatMap((begin) => HANDLES.map(() => begin));
  agree(
    'when the months began',
    paid
      .map(({ created_at: at }: Json) => at)
      .reverse()
      .join(),
    expected.join(),
  );

  const { data: summary } = await service.api(apiKey, 'GET /api/v3/account-monitoring');
  agree('price of a month', summary.price_per_account_credits, PRICE);
  agree('accounts that are monitored', summary.monitored_count, HANDLES.length);
  agree('accounts that are not covered', summary.not_covered_count, 0);
  agree('what they cost a month', summary.monthly_cost_credits, HANDLES.length * PRICE);
  const { data: balance } = await service.api(apiKey, 'GET /api/v3/credits/balance');
  agree('balance after the months', balance.balance, before.data.balance - months * PRICE);
  const verified = await service.operator('monitoring.verify', { workspace_id: workspaceId });
  agree('monitoring verified', verified.ok, true);

  say();
  say(
    `${HANDLES.length} accounts are monitored for "Sales leaders", ${PRICE} credits a month each. ` +
      `${MONTHS_LATER} months later the statement by account and month says:`,
  );
  say(renderTable(await spendByAccount({ service, workspaceId, apiKey }, begins)));
  say(`A month costs ${summary.monthly_cost_credits} from now on; ${balance.balance} credits are left.`);
  return { credits: months * PRICE, captured: months };
}

/** The spending per account and month from the statement, each compared with the price. */
async function spendByAccount(
  { service, workspaceId, apiKey }: Scene,
  begins: readonly string[],
): Promise<readonly Record<string, unknown>[]> {
  const statement = await service.operator('ledger.statement', {
    workspace_id: workspaceId,
    group_by: 'account,month',
  });
  const groups: readonly Json[] = statement.groups.filter(({ month }: Json) => month !== null);
  agree('accounts and months of the statement', groups.length, HANDLES.length * begins.length);
  const rows = new Map<number, Record<string, unknown>>();
  for (const { account, month, movements, spend } of groups) {
    agree(`movements of account ${account} in ${month}`, movements, 1);
    agree(`credits of account ${account} in ${month}`, spend, PRICE);
    const { name } = await service.api(apiKey, `GET /api/v2/companies/${account}`);
    rows.set(account, { ...(rows.get(account) ?? { account: name }), [month]: spend });
  }
  const months = begins.map((begin) => begin.slice(0, 7));
  for (const { account: _account, ...spent } of rows.values())
    agree('months of an account', Object.keys(spent).join(), months.join());
  return [...rows.values()];
}
