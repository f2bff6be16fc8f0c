import type { StatementView } from '#ledger/answers/statement.answer.js';
import { observedCompany } from '#test/support/observed-network.js';
import { type Answer, type TestService, type TestWorkspace } from '#test/support/service.js';
import { minute, signed, table } from './finance-tables.js';
import { workedOut, type Steps } from './worked-service.js';

/** The summary at a moment, with the balance. */
type Look = {
  readonly at: string;
  readonly what: string;
  readonly summary: Answer['body'];
  readonly balance: number;
};

/** A month of monitored accounts and the following ones, on the real service with a manual clock. */
export type WorkedMonitoring = {
  readonly looks: readonly Look[];
  /** From the first day to the end of March, with the spending by account and month. */
  readonly statement: StatementView;
  /** The months from the movements. */
  readonly months: readonly Answer['body'][];
  /** The cost of future months. */
  readonly forecast: Answer['body'];
  readonly verified: Answer['body'];
  /** Names of the accounts by their ids. */
  readonly accounts: ReadonlyMap<number, string>;
};

const HANDLES = ['Acme', 'Globex', 'Initech'];

/** Runs through the months step by step; docs/finance.md describes each step. */
export const workedMonitoring = (): Promise<WorkedMonitoring> => workedOut(happen);

async function happen(service: TestService, { ask, on }: Steps): Promise<WorkedMonitoring> {
  await on('01-31T10:00');
  await service.ingest(HANDLES.map((name) => observedCompany(name.toLowerCase(), { name })));
  const own = await service.workspace({ name: 'Hooli', credits: undefined });
  const workspace = { workspace_id: own.id };
  const looks: Look[] = [];
  const look = async (what: string): Promise<void> => {
    await service.ops('work.drain');
    const [summary, balance] = await Promise.all([
      own.call('GET /api/v3/account-monitoring'),
      own.call('GET /api/v3/credits/balance'),
    ]);
    const at = service.service.host.clock.now().toISOString();
    looks.push({ at, what, summary: summary.body.data, balance: balance.body.data.balance });
  };

  await ask('credits.grant', {
    ...workspace,
    credits: 27,
    reason: 'Contract 2026',
    grant_key: 'contract-2026',
  });
  const { path, memberIds } = await keyAccounts(own, () => service.ops('work.drain'));
  await look('three accounts are monitored');

  await on('02-10T09:00');
  const third = `PATCH /api/v3/${path}/members/${memberIds[2]}/signal-buckets`;
  await own.call(third, { signal_buckets: null });
  await look('one of them is stopped');
  await on('02-12T15:00');
  await own.call(third, { signal_buckets: ['essential'] });
  await look('and started again');

  await on('02-28T10:00');
  await look('the renewal');
  await on('03-02T08:30');
  await look('before the top-up');
  await ask('credits.grant', { ...workspace, credits: 20, reason: 'Top-up', grant_key: 'top-up' });
  await look('after the top-up');

  await on('03-31T10:00');
  await look('the next renewal');
  await on('04-01T00:00');
  const statement = await ask('ledger.statement', {
    ...workspace,
    from: '2026-01-31',
    to: '2026-04-01',
    group_by: 'account,month',
  });
  const { body } = await own.call('GET /api/v3/credits/movements?limit=100');
  const ids = (statement.groups as Answer['body'][]).map(({ account }): number => account);
  const accounts = new Map<number, string>();
  for (const id of new Set(ids)) {
    accounts.set(id, (await own.call(`GET /api/v2/companies/${id}`)).body.name);
  }
  return {
    looks,
    statement,
    accounts,
    months: body.data.filter(({ product }: Answer['body']) => product === 'account_monitoring').reverse(),
    forecast: await ask('monitoring.forecast', { ...workspace, months: 1 }),
    verified: await ask('monitoring.verify', workspace),
  };
}

/** A monitored list, to which accounts are added one after the other, so that their ids are in this order. */
async function keyAccounts(own: TestWorkspace, settled: () => Promise<unknown>) {
  await own.call('POST /api/v2/personas', { tag: 'Sales', job_title: ['VP Sales'], location: ['France'] });
  const { body } = await own.call('POST /api/v2/lists', { type: 'customer', name: 'Key accounts' });
  const path = `lists/company/${body.data.id}`;
  await own.call(`PUT /api/v3/${path}`, { signal_buckets: ['essential'] });
  const memberIds: number[] = [];
  for (const name of HANDLES) {
    const members = [{ network_handle: name.toLowerCase() }];
    const added = await own.call(`POST /api/v2/${path}/members`, { members });
    memberIds.push(added.body.data[0].id);
    await settled();
  }
  return { path, memberIds };
}

/** The months as the part of docs/finance.md between its markers. Seals differ between runs and are left out. */
export function workedMonitoringPage({
  looks,
  statement,
  forecast,
  verified,
  accounts,
}: WorkedMonitoring): string {
  return [
    '### What the summary says',
    table(
      [
        'At (UTC)',
        'What happened',
        'Monitored',
        'Not covered',
        'Since',
        'A month costs',
        'Missing',
        'Balance',
      ],
      looks.map(({ at, what, summary, balance }) => [
        minute(at),
        what,
        summary.monitored_count,
        summary.not_covered_count,
        summary.not_covered_since === null ? '' : minute(summary.not_covered_since),
        summary.monthly_cost_credits,
        summary.renewal_shortfall_credits,
        balance,
      ]),
    ),
    '### The statement until the end of March',
    table(
      ['Recorded (UTC)', 'Entry', 'What', 'Change', 'Spent', 'Balance', 'Why'],
      [
        ['', '', '**opening**', '', '', statement.opening, ''],
        ...statement.rows.map(({ at, revision, kind, credits, spend, balance, cause }) => [
          minute(at),
          revision,
          kind,
          signed(credits),
          spend === 0 ? '' : spend,
          balance,
          cause.reason ?? `${accounts.get(cause.company_id ?? 0)}, ${cause.month}`,
        ]),
        ['', statement.revision ?? '', '**closing**', '', '', statement.closing, ''],
      ],
    ),
    '### By account and month',
    table(
      ['Account', 'Month', 'Movements', 'Credits'],
      (statement.groups ?? []).map(({ account, month, movements, spend }) => [
        accounts.get(account ?? 0),
        month,
        movements,
        spend,
      ]),
    ),
    '### What is due next',
    table(
      ['Day', 'Credits due', 'Balance after'],
      forecast.days.map((day: Answer['body']) => [day.date, day.credits_due, day.balance_after]),
    ),
    `\`monitoring verify\` recomputed ${verified.units} units from the events: ${verified.differences.length} differences.`,
  ].join('\n\n');
}
