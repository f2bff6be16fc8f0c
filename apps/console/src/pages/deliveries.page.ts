import { counted } from '#kernel/values/counted.js';
import { html, type Html } from '#http/page.js';
import { oneOfQuery, textQuery } from '#http/parameters.js';
import { actionLink } from '../actions/action.js';
import { isSecretLost } from '../actions/endpoints.actions.js';
import { cells, numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { subjectPage } from '../console-endpoints.js';
import { ID_FIELD, WORKSPACE_PATH } from '../desk.js';
import type { Visit } from '../visits.js';
import { table, workspaceNav } from '../layout.js';
import { address, badge, choice, further, moment } from '../parts.js';
import { workspaceName } from '../workspace.js';

const STATUSES = ['', 'delivered', 'retrying', 'failed'] as const;
export const DeliveriesPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/deliveries',
  summary: 'The webhook endpoints of a workspace, and the deliveries to one of them',
  params: WORKSPACE_PATH,
  query: {
    endpoint: ID_FIELD,
    status: oneOfQuery({ values: STATUSES, otherwise: '', invalid: 422 }),
    before: textQuery({ maximum: 100, invalid: 422, empty: true }),
  },
  async show(visit, { workspace_id: id, endpoint, status, before }) {
    const endpoints = rowsOf(await visit.run('endpoint.list', { workspace_id: id }), 'endpoints');
    const chosen = endpoint ?? numberOf(endpoints[0] ?? {}, 'id');
    return {
      title: `Deliveries of ${await workspaceName(visit, id)}`,
      body: html`${workspaceNav(visit.session, id, 'deliveries')}
      ${table(
        counted(endpoints.length, 'endpoint'),
        ['Endpoint', 'Address', 'Format', 'Status', 'Disabled (UTC)', 'Action'],
        endpoints.map((each) => endpointRow(visit, id, each, status)),
        'There is no endpoint.',
      )}
      ${chosen === 0 ? '' : await deliveriesPart(visit, id, { endpoint: chosen, status, before })}`,
    };
  },
});

function endpointRow(
  { may }: Visit,
  id: number,
  endpoint: AnswerPart,
  status: string,
): readonly (Html | string)[] {
  const endpointId = numberOf(endpoint, 'id');
  const isEnabled = shown(endpoint, 'enabled') === 'yes';
  const given = { workspace_id: id, endpoint_id: endpointId };
  const reason = shown(endpoint, 'disabled_reason');
  return [
    html`<a href="${address(`/console/workspaces/${id}/deliveries`, { endpoint: endpointId, status })}"
      >${endpointId}</a
    >`,
    ...cells(endpoint, 'url', 'format'),
    isEnabled ? badge('good', 'enabled') : badge('bad', `disabled${reason === '-' ? '' : `: ${reason}`}`),
    moment(endpoint, 'disabled_at'),
    html`${
      may('endpoint.pause')
        ? isEnabled
          ? html`<a href="${actionLink('endpoint.pause', given)}">Pause</a>
              <a href="${actionLink('endpoint.replay', given)}">Send again</a>`
          : html`${isSecretLost(endpoint) ? html`<a href="${actionLink('endpoint.pause', given)}">Pause</a>` : ''}
              <a href="${actionLink('endpoint.resume', given)}">Resume</a>`
        : ''
    }`,
  ];
}

async function deliveriesPart(
  visit: Visit,
  id: number,
  {
    endpoint,
    status,
    before,
  }: { readonly endpoint: number; readonly status: string; readonly before: string | null },
): Promise<Html> {
  const answer = await visit.run('endpoint.deliveries', {
    workspace_id: id,
    endpoint_id: endpoint,
    ...(status !== '' && { status }),
    ...(before !== null && before !== '' && { before }),
  });
  const rows = rowsOf(answer, 'deliveries');
  const hasMore = shown(partOf(answer), 'has_more') === 'yes';
  const last = shown(rows.at(-1) ?? {}, 'event_id');
  const path = `/console/workspaces/${id}/deliveries`;
  return html`<h2>To endpoint ${endpoint}</h2>
    <form class="filter" method="get" action="/console/workspaces/${id}/deliveries">
      <input type="hidden" name="endpoint" value="${endpoint}" />
      ${choice(
        'status',
        'Status',
        STATUSES.map((each) => [each, each === '' ? 'any' : each]),
        status,
      )}
      <button>Show</button>
    </form>
    ${table(
      `${counted(rows.length, 'delivery', 'deliveries')}${hasMore ? '; there are older ones' : ''}`,
      ['Event', 'What', 'Happened (UTC)', 'Status', 'Attempts (UTC)', 'Next (UTC)', 'Action'],
      rows.map((row) => [
        html`<code>${shown(row, 'event_id')}</code>`,
        shown(row, 'type'),
        moment(row, 'occurred_at'),
        badge(shown(row, 'status') === 'failed' ? 'bad' : 'plain', shown(row, 'status')),
        html`${rowsOf(row, 'attempts').map(
          (attempt) =>
            html`<div>
              ${moment(attempt, 'at')} ${shown(attempt, 'outcome')} ${shown(attempt, 'status_code')},
              ${shown(attempt, 'duration_ms')} ms
            </div>`,
        )}`,
        moment(row, 'next_attempt_at'),
        visit.may('endpoint.replay')
          ? html`<a
              href="${actionLink('endpoint.replay', { workspace_id: id, endpoint_id: endpoint, event: shown(row, 'event_id') })}"
              >Send again</a
            >`
          : '',
      ]),
      'Nothing was delivered that fits.',
    )}
    ${further(hasMore ? address(path, { endpoint, status, before: last }) : null, 'Older deliveries')}`;
}
