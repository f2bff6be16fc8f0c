import { monthAfter } from '#kernel/values/calendar-months.js';
import { html } from '#http/page.js';
import { partOf, shown } from '../answer.js';
import { actionLink } from '../actions/action.js';
import { subjectPage } from '../console-endpoints.js';
import { WORKSPACE_PATH } from '../desk.js';
import { facts, workspaceNav } from '../layout.js';
import { MONTH_FIELD, monthOf, periodOf } from '../month.js';

export const MonthsPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/months',
  summary: 'A preview of closing a month, and the seal of a closed month',
  params: WORKSPACE_PATH,
  query: { month: MONTH_FIELD },
  async show({ run, may, now, session }, { workspace_id: id, month: wanted }) {
    // The month to close is the last one that has ended.
    const month = wanted ?? monthAfter(monthOf(now), -1) ?? monthOf(now);
    const [workspace, statement] = await Promise.all([
      run('workspace.show', { workspace_id: id }).then((answer) => partOf(answer)),
      run('ledger.statement', { workspace_id: id, ...periodOf(month), rows: 0 }).then((answer) =>
        partOf(answer),
      ),
    ]);
    const seal = partOf(statement, 'seal');
    const isClosed = shown(seal, 'hash') !== '-';
    const isOver = month < monthOf(now);
    const isBefore = shown(statement, 'hash') === '-';
    const sealed = isClosed ? seal : statement;
    const form = html`<p>
      <a class="button primary" href="${actionLink('ledger.close_month', { workspace_id: id, month })}"
        >Close ${month}</a
      >
    </p>`;
    const whyNot = !isOver
      ? `${month} can be closed when it is over.`
      : isBefore
        ? `The ledger begins after ${month}.`
        : null;
    return {
      title: `Month close of ${shown(workspace, 'name')}`,
      body: html`${workspaceNav(session, id, 'months')}
        <form class="filter" method="get" action="/console/workspaces/${id}/months">
          <label>Month <input type="month" name="month" value="${month}" /></label>
          <button>Show</button>
        </form>
        <h2>${isClosed ? `${month} is closed` : `Closing ${month} seals`}</h2>
        ${facts([
          ['Closing balance', shown(sealed, 'closing')],
          ['Last entry', shown(sealed, 'revision')],
          ['Hash', html`<code>${shown(sealed, 'hash')}</code>`],
        ])}
        ${isClosed ? '' : whyNot === null ? (may('ledger.close_month') ? form : '') : html`<p>${whyNot}</p>`}
        <p><a href="/console/workspaces/${id}/ledger?month=${month}">Statement of ${month}</a></p>`,
    };
  },
});
