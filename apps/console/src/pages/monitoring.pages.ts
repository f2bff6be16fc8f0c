import { monthAfter } from '#kernel/values/calendar-months.js';
import { html, type Html } from '#http/page.js';
import { integerQuery } from '#http/parameters.js';
import { cells, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { subjectPage } from '../console-endpoints.js';
import { ID_FIELD, WORKSPACE_PATH } from '../desk.js';
import { table, workspaceNav, figuresPart } from '../layout.js';
import { MONTH_FIELD, monthOf } from '../month.js';
import { address, badge, further, moment } from '../parts.js';
import { workspaceName } from '../workspace.js';

const MONTHS = 6;

export const MonitoringPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/monitoring',
  summary: 'Monitored accounts by month: paid, covered, or not covered with the reason',
  params: WORKSPACE_PATH,
  query: {
    from: MONTH_FIELD,
    persona: ID_FIELD,
    after: ID_FIELD,
    after_persona: ID_FIELD,
  },
  async show(visit, { workspace_id: id, from, persona, after, after_persona: afterPersona }) {
    const first = from ?? monthAfter(monthOf(visit.now), 1 - MONTHS) ?? monthOf(visit.now);
    const answer = await visit.run('monitoring.accounts', {
      workspace_id: id,
      from: first,
      months: MONTHS,
      ...(persona !== null && { persona_id: persona }),
      ...(after !== null && { after_company: after }),
      ...(afterPersona !== null && { after_persona: afterPersona }),
    });
    const path = `/console/workspaces/${id}/monitoring`;
    const months = monthsOf(answer);
    const monthsLink = (month: string | null, words: string): Html | string =>
      month === null ? '' : html`<a href="${address(path, { from: month, persona })}">${words}</a>`;
    const next = partOf(answer, 'next');
    return {
      title: `Monitoring of ${await workspaceName(visit, id)}`,
      body: html`${workspaceNav(visit.session, id, 'monitoring')}
        <form class="filter" method="get" action="${path}">
          <label>First month <input type="month" name="from" value="${first}" /></label>
          <label
            >Persona (id) <input name="persona" inputmode="numeric" size="8" value="${persona ?? ''}"
          /></label>
          <button>Show</button>
          ${monthsLink(monthAfter(first, -MONTHS), 'Earlier')}
          ${monthsLink(monthAfter(first, MONTHS), 'Later')}
          <a href="/console/workspaces/${id}/forecast">Forecast</a>
        </form>
        ${table(
          'An account and persona in each row; a paid month links to its movement',
          ['Account', 'Persona', 'Status', ...months, 'Covered until (UTC)'],
          rowsOf(answer, 'accounts').map((account) => [
            html`<a
              href="${address(`/console/workspaces/${id}/charges`, { company: shown(account, 'company_id') })}"
              >${nameOf(account, 'company')}</a
            >`,
            html`<a href="${address(path, { from: first, persona: shown(account, 'persona_id') })}"
              >${nameOf(account, 'persona')}</a
            >`,
            statusBadge(shown(account, 'status')),
            ...rowsOf(account, 'months').map((cell) => cellPart(id, cell)),
            moment(account, 'covered_until'),
          ]),
          'No account is monitored.',
        )}
        ${further(
          shown(next, 'company_id') === '-'
            ? null
            : address(path, {
                from: first,
                persona,
                after: shown(next, 'company_id'),
                after_persona: shown(next, 'persona_id'),
              }),
          'More accounts',
        )}`,
    };
  },
});

function monthsOf(answer: unknown): readonly string[] {
  const months = partOf(answer)['months'];
  return Array.isArray(months) ? months.map(String) : [];
}

const nameOf = (account: AnswerPart, what: 'company' | 'persona'): string =>
  shown(account, `${what}_name`) === '-'
    ? `${what} ${shown(account, `${what}_id`)}`
    : shown(account, `${what}_name`);

const statusBadge = (status: string): Html =>
  badge(
    status === 'monitored' ? 'good' : status === 'not_covered' ? 'bad' : 'plain',
    status === 'not_covered' ? 'not covered' : status,
  );

const REASONS: { readonly [reason: string]: string } = {
  credits: 'no credits left',
  cap: 'held back by a cap',
  price: 'no price was set',
  blocked: 'workspace blocked',
  not_observable: 'nothing can be observed, or monitored under another name',
};

/** Paid (with its price), covered, or not covered with the reason; empty if it was not requested. */
function cellPart(id: number, cell: AnswerPart): Html {
  const why = REASONS[shown(cell, 'reason')] ?? '';
  const gap = why === '' ? html`` : html` <small class="why">${why}</small>`;
  switch (shown(cell, 'state')) {
    case 'paid':
      return html`<a href="/console/workspaces/${id}/movements/${shown(cell, 'movement_id')}"
          >paid ${shown(cell, 'credits')}</a
        >${gap}`;
    case 'covered':
      return html`covered${gap}`;
    case 'not_covered':
      return html`${badge('bad', 'not covered')}${gap}`;
    default:
      return html``;
  }
}

export const MonitoringForecastPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/forecast',
  summary: 'The forecast cost of monitoring by day, and the day on which the balance runs out',
  params: WORKSPACE_PATH,
  query: {
    months: integerQuery({ minimum: 1, maximum: 24, otherwise: 3, invalid: 422 }),
  },
  async show(visit, { workspace_id: id, months }) {
    const answer = await visit.run('monitoring.forecast', { workspace_id: id, months });
    const days = rowsOf(answer, 'days');
    return {
      title: `Forecast of monitoring of ${await workspaceName(visit, id)}`,
      body: html`${workspaceNav(visit.session, id, 'monitoring')}
        <form class="filter" method="get" action="/console/workspaces/${id}/forecast">
          <label>Months <input name="months" type="number" min="1" max="24" value="${months}" /></label>
          <button>Show</button>
        </form>
        ${figuresPart([
          ['Runs out (UTC)', moment(partOf(answer), 'runs_out_at'), "at today's price, monitoring alone"],
          ['Days with months due', String(days.length)],
        ])}
        ${table(
          'By month',
          ['Month', { number: 'Credits due' }, { number: 'Left at its end' }],
          rowsOf(answer, 'months').map((month) => [...cells(month, 'month', 'credits_due', 'balance_after')]),
          'Nothing falls due.',
        )}
        <h2>Day by day</h2>
        ${table(
          'Days on which months fall due',
          ['Day', { number: 'Credits due' }, { number: 'Left then' }],
          days.map((day) => [shown(day, 'date'), shown(day, 'credits_due'), shown(day, 'balance_after')]),
          'None.',
        )}`,
    };
  },
});
