import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { html } from '#http/page.js';
import { oneOfQuery } from '#http/parameters.js';
import { numberOf, partOf, rowsOf, shown } from '../answer.js';
import { CONSOLE, PAGE, PAGE_NUMBER, SUBJECT_PAGE, WORKSPACE_PATH, type Desk } from '../desk.js';
import { facts, table, workspaceNav } from '../layout.js';
import { address, choice, moment, pager } from '../parts.js';
import { workspaceName } from '../workspace.js';

const query = {
  page: PAGE_NUMBER,
  cadence: oneOfQuery({ values: ['weekly', 'daily'], invalid: 422, otherwise: 'weekly' }),
};

@Endpoint({
  ...SUBJECT_PAGE,
  route: 'GET /console/workspaces/:workspace_id/schedules',
  summary: 'The next runs of the agents and setups of a workspace',
  params: WORKSPACE_PATH,
  query,
})
export class SchedulesPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({
    params: { workspace_id: id },
    query: { page, cadence },
    ...asked
  }: PublicRequest<{ query: typeof query; params: typeof WORKSPACE_PATH }>) {
    return this.desk.page(asked, async (visit) => {
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
    });
  }
}

@Endpoint({
  ...PAGE,
  route: 'GET /console/work',
  summary: 'The due background work, with its age',
})
export class DueWorkPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle(asked: PublicRequest) {
    return this.desk.page(asked, async ({ run }) => {
      const answer = await run('work.due', {});
      const processes = rowsOf(answer, 'processes');
      const due = processes.reduce((sum, row) => sum + numberOf(row, 'items'), 0);
      return {
        title: 'Due work',
        body: html`${facts([
          ['Due now', String(due)],
          ['Next falls due', moment(partOf(answer), 'next_due_at')],
        ])}
        ${table(
          'By process',
          ['Process', { number: 'Due' }, 'Oldest since (UTC)'],
          processes.map((row) => [shown(row, 'process'), shown(row, 'items'), moment(row, 'oldest_since')]),
          'There is no process.',
        )}`,
      };
    });
  }
}
