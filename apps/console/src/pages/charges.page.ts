import { html } from '#http/page.js';
import { cells, partOf, rowsOf, shown } from '../answer.js';
import { subjectPage } from '../console-endpoints.js';
import { ID_FIELD, WORKSPACE_PATH } from '../desk.js';
import { table, workspaceNav } from '../layout.js';
import { moment } from '../parts.js';

export const ChargesPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/charges',
  summary: 'The charges of a company, run, signal setup, agent or launch, newest first',
  params: WORKSPACE_PATH,
  query: {
    company: ID_FIELD,
    run: ID_FIELD,
    setup: ID_FIELD,
    agent: ID_FIELD,
    launch: ID_FIELD,
    before: ID_FIELD,
  },
  async show({ run, session }, { workspace_id: id, before, ...causes }) {
    const named = Object.entries(causes).flatMap(([name, cause]) =>
      cause === null ? [] : [[name, cause] as const],
    );
    const [wanted] = named;
    const answer =
      wanted === undefined
        ? {}
        : await run('ledger.movements', {
            workspace_id: id,
            ...Object.fromEntries(named.map(([name, cause]) => [`${name}_id`, cause])),
            ...(before !== null && { before }),
          });
    const next = shown(partOf(answer), 'next');
    return {
      title: wanted === undefined ? 'Charges' : `Charges of ${wanted.join(' ')}`,
      body: html`${workspaceNav(session, id, 'charges')}
        <form class="filter" method="get" action="/console/workspaces/${id}/charges">
          <label
            >Company <input name="company" type="number" min="1" value="${causes.company ?? ''}"
          /></label>
          <button>Show</button>
        </form>
        ${table(
          'Newest first',
          ['Movement', 'Made (UTC)', 'Status', 'Product', 'Charged once as', { number: 'Credits' }],
          rowsOf(answer, 'movements').map((movement) => [
            html`<a href="/console/workspaces/${id}/movements/${shown(movement, 'id')}"
              >${shown(movement, 'id')}</a
            >`,
            moment(movement, 'created_at'),
            ...cells(movement, 'status', 'product'),
            html`<code>${shown(movement, 'key')}</code>`,
            shown(movement, 'credits'),
          ]),
          wanted === undefined ? 'Enter the id of a company to see its charges.' : 'Nothing was charged.',
        )}
        ${
          next === '-' || wanted === undefined
            ? ''
            : html`<p>
                <a href="/console/workspaces/${id}/charges?${wanted[0]}=${wanted[1]}&before=${next}"
                  >Older charges</a
                >
              </p>`
        }`,
    };
  },
});
