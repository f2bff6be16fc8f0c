import { counted } from '#kernel/values/counted.js';
import { html } from '#http/page.js';
import { oneOfQuery } from '#http/parameters.js';
import { cells, numberOf, partOf, rowsOf, shown } from '../answer.js';
import { subjectPage } from '../console-endpoints.js';
import { ID_FIELD, PAGE_NUMBER, WORKSPACE_PATH } from '../desk.js';
import { table, workspaceNav } from '../layout.js';
import { address, choice, moment, pager, runLink } from '../parts.js';
import { workspaceName } from '../workspace.js';
import { nameOf, stageBadge, STAGES, TRIGGERS, wordOf } from './run-words.js';

export const RunsPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/runs',
  summary: 'The runs of a workspace, newest first',
  params: WORKSPACE_PATH,
  query: {
    page: PAGE_NUMBER,
    agent: ID_FIELD,
    stage: oneOfQuery({
      values: ['', 'running', 'completed', 'completed_partial', 'failed'],
      invalid: 422,
      otherwise: '',
    }),
    trigger: oneOfQuery({ values: ['', 'manual', 'schedule', 'monitoring'], invalid: 422, otherwise: '' }),
  },
  async show(visit, { workspace_id: id, page, agent, stage, trigger }) {
    const answer = await visit.run('run.list', {
      workspace_id: id,
      page,
      ...(agent !== null && { agent_id: agent }),
      ...(stage !== '' && { stage }),
      ...(trigger !== '' && { trigger }),
    });
    const path = `/console/workspaces/${id}/runs`;
    return {
      title: `Runs of ${await workspaceName(visit, id)}`,
      body: html`${workspaceNav(visit.session, id, 'runs')}
        <form class="filter" method="get" action="${path}">
          ${choice('stage', 'Stage', STAGES, stage)} ${choice('trigger', 'Launched', TRIGGERS, trigger)}
          <label
            >Agent or setup (id) <input name="agent" inputmode="numeric" size="8" value="${agent ?? ''}"
          /></label>
          <button>Show</button>
        </form>
        ${table(
          counted(numberOf(partOf(answer), 'total'), 'run'),
          [
            'Run',
            'Launched (UTC)',
            'Agent or setup',
            'Launched',
            'Stage',
            { number: 'Found' },
            { number: 'Dropped' },
            { number: 'Spent' },
            { number: 'Limit' },
          ],
          rowsOf(answer, 'runs').map((row) => [
            runLink(id, shown(row, 'run_id')),
            moment(row, 'created_at'),
            html`<a href="${address(path, { agent: shown(row, 'agent_id'), stage, trigger })}"
              >${nameOf(row)}</a
            >`,
            wordOf(TRIGGERS, shown(row, 'trigger')),
            stageBadge(row),
            html`<a href="${address(`/console/workspaces/${id}/signals`, { run: shown(row, 'run_id') })}"
              >${shown(row, 'found')}</a
            >`,
            ...cells(row, 'dropped', 'credits_spent', 'max_credits'),
          ]),
          'There is no such run.',
        )}
        ${pager(answer, path, { agent, stage, trigger })}`,
    };
  },
});
