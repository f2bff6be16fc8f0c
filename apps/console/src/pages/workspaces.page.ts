import { counted } from '#kernel/values/counted.js';
import { formatCredits, parseCredits } from '#kernel/values/credits.js';
import { html, type Html } from '#http/page.js';
import { oneOfQuery, textQuery } from '#http/parameters.js';
import { cells, numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { sparkline } from '../charts/balance-chart.js';
import { csvOf } from '../csv.js';
import { atDesk, page, PAGE_STATUSES } from '../console-endpoints.js';
import { PAGE_NUMBER } from '../desk.js';
import type { Visit } from '../visits.js';
import { pageLinks, table } from '../layout.js';
import { choice, named } from '../parts.js';

const ORDERS = ['id', 'name', 'balance', 'held', 'run-out'] as const;
const ALERTS = ['any', 'blocked', 'empty', 'runs_out', 'expiring'] as const;
const PAYERS = ['self', 'partner', 'exempt'] as const;

const filters = {
  by: oneOfQuery({ values: ORDERS, otherwise: 'id', invalid: 422 }),
  named: textQuery({ maximum: 200, invalid: 422, empty: true }),
  billing: textQuery({ maximum: 10, invalid: 422, empty: true }),
  alert: textQuery({ maximum: 10, invalid: 422, empty: true }),
};
type Wanted = {
  readonly by: (typeof ORDERS)[number];
  readonly named: string | null;
  readonly billing: string | null;
  readonly alert: string | null;
};

const ALERT_NAMES: { readonly [alert: string]: string } = {
  any: 'any alert',
  blocked: 'blocked',
  empty: 'empty',
  runs_out: 'runs out within 28 days',
  expiring: 'credits expire within 7 days',
};

/** The input of the command; an empty form field is left out. */
const inputOf = ({ by, ...others }: Wanted) => ({
  by,
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null && value !== '')),
});

const MOST_ROWS = 100;

export const WorkspacesPage = page({
  route: 'GET /console',
  summary: 'The workspaces with their balance, spending and warnings',
  query: {
    ...filters,
    page: PAGE_NUMBER,
  },
  async show({ run, session }, { page, ...wanted }) {
    if (session.link !== undefined) return { to: `/console/workspaces/${session.link.workspaceId}/ledger` };
    const input = inputOf(wanted);
    const answer = await run('workspace.list', { ...input, page, with: 'spend' });
    const address = new URLSearchParams(input).toString();
    const isFiltered = Object.keys(input).length > 1;
    return {
      title: 'Workspaces',
      body: html`<form class="filter" method="get" action="/console">
          <label>Name <input name="named" value="${wanted.named ?? ''}" /></label>
          ${choice('billing', 'Billing', optionsOf(['', ...PAYERS], { '': 'any' }), wanted.billing)}
          ${choice('alert', 'Alert', optionsOf(['', ...ALERTS], { ...ALERT_NAMES, '': 'all' }), wanted.alert)}
          ${choice('by', 'Order', optionsOf(ORDERS, { id: 'number', 'run-out': 'run-out date' }), wanted.by)}
          <button>Show</button>
          ${isFiltered ? html`<a href="/console">All</a>` : ''}
          <a href="/console/workspaces.csv?${address}">CSV</a>
        </form>
        ${table(
          isFiltered
            ? counted(numberOf(partOf(answer), 'total'), 'workspace that fits', 'workspaces that fit')
            : counted(numberOf(partOf(answer), 'total'), 'workspace'),
          [
            'Workspace',
            'Alerts',
            'Billing',
            { number: 'Balance' },
            { number: 'Held' },
            { number: 'Spent in 28 days' },
            'By day',
            'Runs out',
          ],
          rowsOf(answer, 'workspaces').map(workspaceRow),
          'No workspace fits.',
        )}
        ${pageLinks(partOf(answer), `/console?${address}&`)}`,
    };
  },
});

/** The options of a select field: values with their names. */
const optionsOf = (values: readonly string[], names: { readonly [value: string]: string }) =>
  values.map((value) => [value, names[value] ?? value] as const);

const spendOf = (row: AnswerPart): readonly number[] => {
  const spend = row['spend'];
  return Array.isArray(spend) ? spend.map(Number) : [];
};

const total = (amounts: readonly number[]): string =>
  formatCredits(amounts.reduce((sum, amount) => sum + (parseCredits(amount) ?? 0n), 0n));

function workspaceRow(row: AnswerPart): readonly (Html | string)[] {
  const id = numberOf(row, 'workspace_id');
  const spend = spendOf(row);
  const page = `/console/workspaces/${id}`;
  const alerts = Array.isArray(row['alerts']) ? row['alerts'].map(String) : [];
  return [
    html`<a href="${page}/ledger"
        >${named(shown(row, 'name') === '' ? `workspace ${id}` : shown(row, 'name'))}</a
      >
      <small>${id}</small>`,
    html`${alerts.map((alert) => html`<span class="badge bad">${ALERT_NAMES[alert] ?? alert}</span> `)}`,
    shown(row, 'billing'),
    html`<a href="${page}/ledger">${shown(row, 'balance')}</a>`,
    html`<a href="${page}/holds">${shown(row, 'held')}</a>`,
    total(spend),
    sparkline(spend, `${counted(total(spend), 'credit')} in ${spend.length} days`),
    shown(row, 'runs_out_on'),
  ];
}

export const WorkspacesFile = atDesk({
  route: 'GET /console/workspaces.csv',
  summary: 'The filtered workspaces as CSV, without pages',
  query: filters,
  otherStatuses: PAGE_STATUSES,
  answer: (desk, { query: wanted, ...asked }) =>
    desk.list(asked, 'workspaces.csv', async (visit) => ({
      contentType: 'text/csv; charset=utf-8',
      text: csvOf([HEADINGS, ...(await allRows(visit, inputOf(wanted))).map(csvRow)]),
    })),
});

const HEADINGS = [
  'workspace_id',
  'name',
  'billing',
  'blocked',
  'balance',
  'held',
  'spent_28_days',
  'runs_out_on',
  'alerts',
];

async function allRows({ run }: Visit, input: object): Promise<readonly AnswerPart[]> {
  const rows: AnswerPart[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await run('workspace.list', { ...input, page, page_size: MOST_ROWS, with: 'spend' });
    rows.push(...rowsOf(answer, 'workspaces'));
    if (page >= numberOf(partOf(answer), 'page_count')) return rows;
  }
}

const csvRow = (row: AnswerPart): readonly (string | number)[] => [
  ...cells(row, 'workspace_id', 'name', 'billing', 'blocked'),
  numberOf(row, 'balance'),
  numberOf(row, 'held'),
  total(spendOf(row)),
  // An empty cell for a missing day: `-` is the mark of the page, and would be guarded as a formula.
  typeof row['runs_out_on'] === 'string' ? row['runs_out_on'] : '',
  Array.isArray(row['alerts']) ? row['alerts'].join(' ') : '',
];
