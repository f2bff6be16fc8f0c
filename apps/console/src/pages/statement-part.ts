import { counted } from '#kernel/values/counted.js';
import { monthAfter } from '#kernel/values/calendar-months.js';
import { html, type Html } from '#http/page.js';
import { cells, numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { facts, table } from '../layout.js';
import { address, further, hiddenField, moment, movementLink } from '../parts.js';

/** The maximum number of rows on a page; exports have all rows. */
export const MOST_ROWS = 200;

/** The period of a statement: a month, or the days between two dates. */
export type ShownPeriod = { readonly month: string } | { readonly from: string; readonly to: string };

/** What a page of the ledger shows besides the period: its links keep it. */
type ShownBeside = {
  /** The first entry of the rows, if that is not the first of the period. */
  readonly begin: number | null;
  readonly at: string | null;
  /** The time shown of the chart, if it is not the usual one. */
  readonly range: string | null;
};

/** A statement with its totals, each row a link to its movement, and links to the same as files. */
export function statementPart(
  id: number,
  period: ShownPeriod,
  statement: AnswerPart,
  { begin, at, range }: ShownBeside,
): Html {
  const page = `/console/workspaces/${id}`;
  const rows = rowsOf(statement, 'rows');
  const beside = { at, range };
  const link = (month: string): string => address(`${page}/ledger`, { month, ...beside });
  const monthLink = (month: string | null): Html =>
    month === null ? html`` : html`<a href="${link(month)}">${month}</a> `;
  const besideFields = Object.entries(beside).map(([name, value]) => hiddenField(name, value ?? ''));
  const asked = new URLSearchParams(
    'month' in period ? { month: period.month } : { from: period.from, to: period.to },
  );
  const file = (format: string): string => `${page}/export?${asked.toString()}&format=${format}`;
  const name = 'month' in period ? period.month : `${period.from} to ${period.to}`;
  const next = shown(statement, 'next');
  const isPart = begin !== null || next !== '-';
  const caption = `${counted(rows.length, 'change')} in ${name}${isPart ? ', a part of it; the sums are those of all, and an export has all' : ''}`;
  const rowsLink = (first: string | null): string =>
    `${address(`${page}/ledger`, { ...Object.fromEntries(asked), ...beside, rows_from: first })}#statement`;
  const seal = partOf(statement, 'seal');
  const isClosed = shown(seal, 'hash') !== '-';
  return html`<section class="statement">
    <h2 id="statement">Statement of ${name}</h2>
    <form class="filter" method="get" action="${page}/ledger">
      <label
        >Month <input type="month" name="month" value="${'month' in period ? period.month : ''}"
      /></label>
      ${besideFields}
      <button>Show</button>
      ${'month' in period ? [-1, 1].map((months) => monthLink(monthAfter(period.month, months))) : ''}
    </form>
    <form class="filter" method="get" action="${page}/ledger">
      <label
        >From (UTC) <input type="date" name="from" value="${'from' in period ? period.from : ''}" required
      /></label>
      <label
        >Up to, without (UTC)
        <input type="date" name="to" value="${'to' in period ? period.to : ''}" required
      /></label>
      ${besideFields}
      <button>Show these days</button>
    </form>
    ${facts([
      ['Opening', html`<strong class="amount">${shown(statement, 'opening')}</strong>`],
      ['Closing', html`<strong class="amount">${shown(statement, 'closing')}</strong>`],
      ['Spent', html`<span class="amount">${spentOf(statement)}</span>`],
      ['Revision', shown(statement, 'revision')],
      ['Hash', html`<code>${shown(statement, 'hash')}</code>`],
      ...('month' in period
        ? [
            [
              'Month',
              html`<a href="${page}/months?month=${period.month}"
                >${isClosed ? 'closed and sealed' : 'not closed'}</a
              >`,
            ] as const,
          ]
        : []),
    ])}
    ${table(
      caption,
      [
        'Movement',
        'When (UTC)',
        'What',
        'Product',
        { number: 'Credits' },
        { number: 'Spend' },
        { number: 'Balance' },
        'Why',
      ],
      rows.map((row) => statementRow(id, row)),
      'Nothing changed.',
    )}
    ${begin === null ? '' : html`<p class="no-print"><a href="${rowsLink(null)}">From the first change on</a></p>`}
    ${further(next === '-' ? null : rowsLink(next), 'Later changes')} ${totalsPart(statement)}
    <p class="no-print">
      Export: <a href="${file('csv')}">CSV</a> <a href="${file('jsonl')}">JSON Lines</a>
      <a href="${file('journal')}">hledger journal</a>. The print of this page is the statement as a document.
    </p>
  </section>`;
}

const spentOf = (statement: AnswerPart): string => {
  const payers = partOf(statement, 'totals', 'by_payer');
  const names = Object.keys(payers);
  if (names.length === 0) return '0';
  return names.map((name) => `${shown(payers, name)}${name === 'workspace' ? '' : ` (${name})`}`).join(', ');
};

function totalsPart(statement: AnswerPart): Html {
  const kinds = [
    ['Product', partOf(statement, 'totals', 'by_product')],
    ['Cause', partOf(statement, 'totals', 'by_cause')],
    ['Payer', partOf(statement, 'totals', 'by_payer')],
  ] as const;
  return table(
    'Totals of spending',
    ['By', 'Name', { number: 'Spend' }],
    kinds.flatMap(([kind, sums]) => Object.keys(sums).map((name) => [kind, name, shown(sums, name)])),
    'Nothing was spent.',
  );
}

const statementRow = (id: number, row: AnswerPart): readonly (Html | string)[] => [
  html`<a href="/console/workspaces/${id}/movements/${numberOf(row, 'movement_id')}"
    >${shown(row, 'movement_id')}</a
  >`,
  moment(row, 'at'),
  ...cells(row, 'kind', 'product', 'credits', 'spend', 'balance'),
  html`${whyOf(id, partOf(row, 'cause'))}${importedLots(id, row)}`,
];

/** The lots of an import: each has its credits in a movement of its own. */
const importedLots = (id: number, row: AnswerPart): Html =>
  shown(row, 'kind') === 'import'
    ? html`${rowsOf(row, 'lots').map((lot) => html`; ${shown(lot, 'credits')} in movement ${movementLink(id, shown(lot, 'lot'))}`)}`
    : html``;

/** The reason that was given, with the corrected movement; or the subject of a charge. */
function whyOf(id: number, cause: AnswerPart): Html | string {
  const why = [shown(cause, 'reason'), shown(cause, 'subject')].find((text) => text !== '-') ?? '';
  const corrects = shown(cause, 'corrects');
  return corrects === '-' ? why : html`<bdi>${why}</bdi> (corrects ${movementLink(id, corrects)})`;
}
