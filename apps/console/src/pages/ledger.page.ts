import { html, type Html } from '#http/page.js';
import { integerQuery, oneOfQuery } from '#http/parameters.js';
import { partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { subjectPage } from '../console-endpoints.js';
import { PAGE_NUMBER, WORKSPACE_PATH } from '../desk.js';
import type { Visit } from '../visits.js';
import { actionLinks, facts, figuresPart, workspaceNav } from '../layout.js';
import { MONTH_FIELD, monthOf, periodGiven, periodOf, TIME_FIELD } from '../month.js';
import { address, hiddenField } from '../parts.js';
import { balancePart, RANGES } from './balance-part.js';
import { capsPart, lotsPart, recurringPart } from './terms-parts.js';
import { MOST_ROWS, statementPart, type ShownPeriod } from './statement-part.js';

const USUAL_RANGE = '1y' as const;

export const LedgerPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/ledger',
  summary: 'The balance now, over time and at a past time; the statement of a period; lots and caps',
  params: WORKSPACE_PATH,
  query: {
    month: MONTH_FIELD,
    from: TIME_FIELD,
    to: TIME_FIELD,
    at: TIME_FIELD,
    rows_from: integerQuery({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, otherwise: null, invalid: 422 }),
    range: oneOfQuery({ values: RANGES, otherwise: USUAL_RANGE, invalid: 422 }),
    grants_page: PAGE_NUMBER,
  },
  async show(
    visit,
    { workspace_id: id, month: wanted, from, to, at, rows_from: begin, range, grants_page: grantsPage },
  ) {
    const given = periodGiven(from, to);
    if (given instanceof Error) throw given;
    const month = wanted ?? monthOf(visit.now);
    const period: ShownPeriod = given ?? { month };
    const path = `/console/workspaces/${id}/ledger`;
    const shownPart = { ...period, at, rows_from: begin };
    const chosenRange = range === USUAL_RANGE ? null : range;
    const here = address(path, { ...shownPart, range: chosenRange });
    const days = 'month' in period ? periodOf(period.month) : period;
    const [shownWorkspace, shownStatement, caps, recurring, chart, asOf] = await Promise.all([
      visit.run('workspace.show', { workspace_id: id }),
      visit.run('ledger.statement', {
        workspace_id: id,
        ...days,
        rows: MOST_ROWS,
        ...(begin !== null && { rows_from: begin }),
      }),
      visit.run('caps.list', { workspace_id: id }),
      visit.run('credits.recurring.list', { workspace_id: id, page: grantsPage }),
      balancePart(visit, id, range, (each) => address(path, { ...shownPart, range: each })),
      at === null ? html`` : asOfPart(visit, id, at),
    ]);
    const workspace = partOf(shownWorkspace);
    // A balance shows expired credits only if a lot had terms: only such a ledger has lots.
    const hasLots = hasExpiries(partOf(workspace, 'balance'));
    const lots = hasLots ? await visit.run('ledger.as_of', { workspace_id: id }) : {};
    return {
      title: `Ledger of ${shown(workspace, 'name')}`,
      body: html`${workspaceNav(visit.session, id, 'ledger')} ${nowPart(id, partOf(workspace, 'balance'))}
        ${actionLinks(visit.may, [
          ['credits.grant', { workspace_id: id }, 'Grant credits'],
          ['credits.withdraw', { workspace_id: id }, 'Withdraw credits'],
          ['credits.adjust', { workspace_id: id }, 'Adjust the balance'],
        ])}
        ${chart} ${statementPart(id, period, partOf(shownStatement), { begin, at, range: chosenRange })}
        <section class="no-print">
          <h2>State at an earlier time</h2>
          <form class="filter" method="get" action="${path}">
            <label
              >Before a date or time (UTC), or after a revision
              <input name="at" value="${at ?? ''}" placeholder="2026-05-01" />
            </label>
            ${Object.entries({ ...period, range: chosenRange }).map(([name, value]) => hiddenField(name, value ?? ''))}
            <button>Show</button>
          </form>
          ${asOf}
        </section>
        ${lotsPart(id, lots)} ${recurringPart(visit, id, recurring, here)} ${capsPart(visit, id, caps)}`,
    };
  },
});

const PAYERS: { readonly [billing: string]: string } = {
  self: 'the workspace pays',
  partner: 'a partner pays',
  exempt: 'nobody pays',
};

const hasExpiries = (balance: AnswerPart): boolean => shown(balance, 'expired') !== '-';

const nowPart = (id: number, balance: AnswerPart): Html =>
  figuresPart([
    ['Balance now', shown(balance, 'balance'), PAYERS[shown(balance, 'billing')] ?? ''],
    [
      'Held',
      html`<a href="/console/workspaces/${id}/holds">${shown(balance, 'held')}</a>`,
      'for running work',
    ],
    ['Captured', shown(balance, 'captured'), 'spent in all'],
    [
      'Granted',
      shown(balance, 'granted'),
      `less what was taken back${hasExpiries(balance) ? ' and what expired' : ''}`,
    ],
    ...(hasExpiries(balance)
      ? [['Expired', shown(balance, 'expired'), 'of lots that ended, not in Granted'] as const]
      : []),
  ]);

async function asOfPart({ run }: Visit, workspaceId: number, at: string): Promise<Html> {
  const moment = /^\d{1,15}$/.test(at) ? Number(at) : at;
  const answer = partOf(await run('ledger.as_of', { workspace_id: workspaceId, at: moment }));
  const balance = partOf(answer, 'balance');
  return html`<div class="notice">
    <h3>State ${typeof moment === 'number' ? 'after revision' : 'before'} ${at}</h3>
    ${facts([
      ['Balance', shown(balance, 'balance')],
      ['Held', shown(balance, 'held')],
      ['Captured', shown(balance, 'captured')],
      ['Granted', shown(balance, 'granted')],
      ...(hasExpiries(balance) ? [['Expired, not in Granted', shown(balance, 'expired')] as const] : []),
      ['Revision', shown(answer, 'revision')],
      ['Open holds', String(rowsOf(answer, 'open_holds').length)],
    ])}
  </div>`;
}
