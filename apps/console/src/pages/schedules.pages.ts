import { html } from '#http/page.js';
import { oneOfQuery } from '#http/parameters.js';
import { numberOf, partOf, rowsOf, shown } from '../answer.js';
import { page, subjectPage } from '../console-endpoints.js';
import { PAGE_NUMBER, WORKSPACE_PATH } from '../desk.js';
import { facts, table, workspaceNav } from '../layout.js';
import { address, choice, moment, pager } from '../parts.js';
import { workspaceName } from '../workspace.js';

export const SchedulesPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/schedules',
  summary: 'The next runs of the agents and setups of a workspace',
  params: WORKSPACE_PATH,
  query: {
    page: PAGE_NUMBER,
    cadence: oneOfQuery({ values: ['weekly', 'daily'], invalid: 422, otherwise: 'weekly' }),
  },
  async show(visit, { workspace_id: id, page, cadence }) {
    const answer = await visit.run('schedule.list', { workspace_id: id, cadence, page });
    const path = `/console/workspaces/${id}/schedules`;
    return {
      title: `Schedules of ${await workspaceName(visit, id)}`,
      body: html`${workspaceNav(visit.session, id, 'schedules')}
        <form class="filter" method="get" action="${path}">
          ${choice(
            'cadence',
            'What runs',
            [
              ['weekly', 'weekly runs'],
              ['daily', 'daily monitoring passes'],
            ],
            cadence,
          )}
          <button>Show</button>
        </form>
        ${table(
          `${shown(partOf(answer), 'total')} ${cadence === 'weekly' ? 'weekly runs' : 'daily passes'}, soonest first`,
          ['Due (UTC)', 'Agent or setup', 'Kind', 'Counted from (UTC)'],
          rowsOf(answer, 'schedules').map((row) => [
            moment(row, 'due_at'),
            html`<a href="${address(`/console/workspaces/${id}/runs`, { agent: shown(row, 'agent_id') })}"
              >${shown(row, 'name')}</a
            >`,
            shown(row, 'kind'),
            moment(row, 'anchor_at'),
          ]),
          'Nothing is scheduled.',
        )}
        ${pager(answer, path, { cadence })}`,
    };
  },
});

export const DueWorkPage = page({
  route: 'GET /console/work',
  summary: 'The due background work, with its age',
  async show({ run }) {
    const answer = await run('work.due', {});
    const processes = rowsOf(answer, 'processes');
    const due = processes.reduce((sum, row) => sum + numberOf(row, 'items'), 0);
    return {
      title: 'Due work',
      body: html`${facts([
        ['Due now', String(due)],
        ['Next falls due (UTC)', moment(partOf(answer), 'next_due_at')],
      ])}
      ${table(
        'By process',
        ['Process', { number: 'Due' }, 'Oldest since (UTC)'],
        processes.map((row) => [shown(row, 'process'), shown(row, 'items'), moment(row, 'oldest_since')]),
        'There is no process.',
      )}`,
    };
  },
});
