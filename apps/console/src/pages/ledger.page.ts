import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { html, type Html } from '#http/page.js';
import { idParam, oneOfQuery, textQuery } from '#http/parameters.js';
import { numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { CONSOLE, type Desk, type Visit } from '../desk.js';
import { actionLinks, facts, table, workspaceNav } from '../layout.js';
import { monthAfter, monthAsked, periodOf } from '../month.js';

const params = { workspace_id: idParam(404) };
const query = {
  month: textQuery({ maximum: 7, invalid: 422, empty: true }),
  at: textQuery({ maximum: 40, invalid: 422, empty: true }),
};

/** A page has no more rows; the exports have all of them. */
const MOST_ROWS = 500;

const COLUMNS = [
  { name: 'Movement' },
  { name: 'When (UTC)' },
  { name: 'What' },
  { name: 'Product' },
  { name: 'Credits', isNumber: true },
  { name: 'Spend', isNumber: true },
  { name: 'Balance', isNumber: true },
] as const;

@Endpoint({
  caller: 'public',
  route: 'GET /console/workspaces/:workspace_id/ledger',
  summary: 'Balance and statement of a month, and the balance as it stood',
  params,
  query,
  html: true,
  otherStatuses: [303, 403, 404, 422],
})
export class LedgerPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({
    params: { workspace_id: id },
    query: { month: wanted, at },
    ...asked
  }: PublicRequest<undefined, typeof query, typeof params>) {
    return this.desk.page(asked, async (visit) => {
      const month = monthAsked(wanted, visit.now);
      const workspace = partOf(await visit.run('workspace.show', { workspace_id: id }));
      const statement = partOf(await visit.run('ledger.statement', { workspace_id: id, ...periodOf(month) }));
      const asOf = at === null || at === '' ? '' : await asOfPart(visit, id, at);
      return {
        title: `Ledger of ${shown(workspace, 'name')}`,
        body: html`${workspaceNav(visit.session, id, 'ledger')} ${balancePart(partOf(workspace, 'balance'))}
          ${actionLinks(visit.may, [
            ['credits.grant', { workspace_id: id }, 'Grant credits'],
            ['credits.withdraw', { workspace_id: id }, 'Withdraw credits'],
            ['credits.adjust', { workspace_id: id }, 'Adjust the balance'],
          ])}
          <form class="filter" method="get" action="/console/workspaces/${id}/ledger">
            <label
              >Balance as it stood before (date, time or revision)
              <input name="at" value="${at ?? ''}" placeholder="2026-05-01"
            /></label>
            <input type="hidden" name="month" value="${month}" />
            <button>Show</button>
          </form>
          ${asOf} ${statementPart(id, month, statement)}`,
      };
    });
  }
}

const balancePart = (balance: AnswerPart): Html =>
  facts([
    ['Balance now', html`<strong>${shown(balance, 'balance')}</strong>`],
    ['Held', shown(balance, 'held')],
    ['Captured', shown(balance, 'captured')],
    ['Granted', shown(balance, 'granted')],
    ['Paid by', shown(balance, 'billing')],
  ]);

async function asOfPart({ run }: Visit, workspaceId: number, at: string): Promise<Html> {
  const moment = /^\d{1,15}$/.test(at) ? Number(at) : at;
  const answer = partOf(await run('ledger.as_of', { workspace_id: workspaceId, at: moment }));
  const balance = partOf(answer, 'balance');
  return html`<section class="notice">
    <h2>As it stood before ${at}</h2>
    ${facts([
      ['Balance', shown(balance, 'balance')],
      ['Held', shown(balance, 'held')],
      ['Captured', shown(balance, 'captured')],
      ['Granted', shown(balance, 'granted')],
      ['Revision', shown(answer, 'revision')],
      ['Open holds', String(rowsOf(answer, 'open_holds').length)],
    ])}
  </section>`;
}

function statementPart(id: number, month: string, statement: AnswerPart): Html {
  const rows = rowsOf(statement, 'rows');
  const link = (other: string): string => `/console/workspaces/${id}/ledger?month=${other}`;
  const file = (format: string): string => `/console/workspaces/${id}/export?month=${month}&format=${format}`;
  const caption = `${rows.length} changes in ${month}${rows.length > MOST_ROWS ? `, the first ${MOST_ROWS} shown; an export has all` : ''}`;
  const seal = partOf(statement, 'seal');
  return html`<h2>Statement of ${month}</h2>
    <form class="filter" method="get" action="/console/workspaces/${id}/ledger">
      <label>Month <input type="month" name="month" value="${month}" /></label>
      <button>Show</button>
      <a href="${link(monthAfter(month, -1))}">${monthAfter(month, -1)}</a>
      <a href="${link(monthAfter(month, 1))}">${monthAfter(month, 1)}</a>
    </form>
    ${facts([
      ['Opening', shown(statement, 'opening')],
      ['Closing', shown(statement, 'closing')],
      ['Revision', shown(statement, 'revision')],
      ['Hash', html`<code>${shown(statement, 'hash')}</code>`],
      [
        'Closed',
        shown(seal, 'hash') === '-' ? 'no' : html`yes, with hash <code>${shown(seal, 'hash')}</code>`,
      ],
    ])}
    ${table(
      caption,
      COLUMNS,
      rows.slice(0, MOST_ROWS).map((row) => statementRow(id, row)),
      `Nothing changed in ${month}.`,
    )}
    <h2>Spent in ${month}</h2>
    ${table(
      'By product',
      [{ name: 'Product' }, { name: 'Credits', isNumber: true }],
      Object.keys(partOf(statement, 'totals', 'by_product')).map((name) => [
        name,
        shown(partOf(statement, 'totals', 'by_product'), name),
      ]),
      'Nothing was spent.',
    )}
    <p>
      Export: <a href="${file('csv')}">CSV</a> <a href="${file('jsonl')}">JSON Lines</a>
      <a href="${file('journal')}">hledger journal</a>
    </p>`;
}

const statementRow = (id: number, row: AnswerPart): readonly (Html | string)[] => [
  html`<a href="/console/workspaces/${id}/movements/${numberOf(row, 'movement_id')}"
    >${shown(row, 'movement_id')}</a
  >`,
  shown(row, 'at'),
  shown(row, 'kind'),
  shown(row, 'product'),
  shown(row, 'credits'),
  shown(row, 'spend'),
  shown(row, 'balance'),
];

const fileQuery = {
  month: textQuery({ maximum: 7, invalid: 422 }),
  format: oneOfQuery({ values: ['csv', 'jsonl', 'journal'], invalid: 422, otherwise: 'csv' }),
};

@Endpoint({
  caller: 'public',
  route: 'GET /console/workspaces/:workspace_id/export',
  summary: 'The ledger of a month as a file',
  params,
  query: fileQuery,
  html: true,
  otherStatuses: [303, 403, 404, 422],
})
export class ExportFile {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({
    params: { workspace_id: id },
    query: { month: asked, format },
    ...request
  }: PublicRequest<undefined, typeof fileQuery, typeof params>) {
    const month = monthAsked(asked, this.desk.now());
    const input = { workspace_id: id, format, ...periodOf(month) };
    return this.desk.file(request, 'ledger.export', input, `ledger-${id}-${month}.${format}`);
  }
}
