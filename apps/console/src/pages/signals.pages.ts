import { html, type Html } from '#http/page.js';
import { idParam, oneOfQuery, textQuery } from '#http/parameters.js';
import { partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { subjectPage } from '../console-endpoints.js';
import { ID_FIELD, WORKSPACE_PATH } from '../desk.js';
import { facts, table, workspaceNav, figuresPart } from '../layout.js';
import {
  address,
  atUtc,
  badge,
  choice,
  further,
  marked,
  moment,
  movementLink,
  named,
  runLink,
} from '../parts.js';
import { workspaceName } from '../workspace.js';

export const SignalsPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/signals',
  summary: 'The signals of a workspace, newest first, with their costs',
  params: WORKSPACE_PATH,
  query: {
    run: ID_FIELD,
    agent: ID_FIELD,
    company: ID_FIELD,
    movement: ID_FIELD,
    type: textQuery({ maximum: 100, invalid: 422, empty: true }),
    priority: oneOfQuery({ values: ['', '1', '2'], invalid: 422, otherwise: '' }),
    before: ID_FIELD,
  },
  async show(visit, { workspace_id: id, run: runId, agent, company, movement, type, priority, before }) {
    const answer = await visit.run('signal.list', {
      workspace_id: id,
      ...(runId !== null && { run_id: runId }),
      ...(agent !== null && { agent_id: agent }),
      ...(company !== null && { company_id: company }),
      ...(movement !== null && { movement_id: movement }),
      ...(type !== null && type !== '' && { signal_type: type }),
      ...(priority !== '' && { priority: Number(priority) }),
      ...(before !== null && { before }),
    });
    const path = `/console/workspaces/${id}/signals`;
    const narrowed = { run: runId, agent, company, movement, type };
    const filter = { ...narrowed, priority };
    // The command takes one filter.
    const isNarrowed = Object.values(narrowed).some((value) => value !== null && value !== '');
    const next = shown(partOf(answer), 'next');
    return {
      title: `Signals of ${await workspaceName(visit, id)}`,
      body: html`${workspaceNav(visit.session, id, 'signals')}
      ${isNarrowed ? filtersShown(narrowed, path) : priorityForm(path, priority)}
      ${table(
        before === null ? 'Newest first' : 'Older signals',
        [
          'Signal',
          'Detected (UTC)',
          'Type',
          'Who',
          'Company',
          'Text',
          'Run',
          'Movement',
          { number: 'Credits' },
        ],
        rowsOf(answer, 'signals').map((signal) => [
          html`<a href="${path}/${shown(signal, 'id')}">${shown(signal, 'id')}</a>`,
          moment(signal, 'detected_at'),
          html`<a href="${address(path, { type: shown(signal, 'signal_type') })}"
            >${shown(signal, 'signal_type')}</a
          >`,
          shown(partOf(signal, 'lead'), 'full_name'),
          companyLink(path, signal),
          html`<span class="excerpt">${marked(signal, 'excerpt')}</span>`,
          runLink(id, shown(signal, 'run_id')),
          movementLink(id, shown(signal, 'movement_id')),
          costOf(signal),
        ]),
        'There is no such signal.',
      )}
      ${further(next === '-' ? null : address(path, { ...filter, before: next }), 'Older signals')}`,
    };
  },
});

const NAMES: { readonly [filter: string]: string } = {
  run: 'of run',
  agent: 'of agent or setup',
  company: 'about company',
  movement: 'paid by movement',
  type: 'of type',
};

const priorityForm = (path: string, priority: string): Html =>
  html`<form class="filter" method="get" action="${path}">
    ${choice(
      'priority',
      'Priority',
      [
        ['', 'any'],
        ['1', 'top'],
        ['2', 'second'],
      ],
      priority,
    )}
    <button>Show</button>
  </form>`;

/** The active filter of the list, with a link to remove it. */
const filtersShown = (filter: { readonly [name: string]: string | number | null }, path: string): Html =>
  html`<p>
    ${Object.entries(filter)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => html`Signals ${NAMES[name] ?? ''} ${String(value)}. `)}
    <a href="${path}">All signals</a>
  </p>`;

function companyLink(path: string, signal: AnswerPart): Html | string {
  const company = partOf(signal, 'company');
  if (shown(company, 'id') === '-') return '-';
  return html`<a href="${address(path, { company: shown(company, 'id') })}">${shown(company, 'name')}</a>`;
}

const costOf = (signal: AnswerPart): string =>
  shown(signal, 'movement_id') === '-' ? 'free' : shown(signal, 'credits');

export const OneSignalPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/signals/:signal_id',
  summary: 'One signal with its text, marked matches and cost',
  params: { workspace_id: idParam(404), signal_id: idParam(404) },
  async show({ run, session }, { workspace_id: id, signal_id: signalId }) {
    const signal = partOf(await run('signal.show', { workspace_id: id, signal_id: signalId }));
    const [lead, author] = [partOf(signal, 'lead'), partOf(signal, 'author')];
    const path = `/console/workspaces/${id}/signals`;
    const keywords = partOf(signal, 'details')['keywords'];
    return {
      title: `Signal ${signalId}`,
      body: html`${workspaceNav(session, id, 'signals')}
        ${figuresPart([
          ['Cost', costOf(signal), paidBy(id, signal)],
          ['Priority', shown(signal, 'priority') === '1' ? 'top' : 'second'],
          ['Detected (UTC)', moment(signal, 'detected_at'), html`signal of ${atUtc(signal, 'signal_date')}`],
        ])}
        ${textPart('Post', signal, 'post_text')} ${textPart('Comment', signal, 'comment_text')}
        <h2>What it says</h2>
        ${facts([
          ['Type', shown(signal, 'signal_type')],
          [
            'Keywords',
            Array.isArray(keywords) ? html`${keywords.map((each) => badge('plain', String(each)))}` : '-',
          ],
          ['Who', html`${named(shown(lead, 'full_name'))}, ${named(shown(lead, 'title'))}`],
          ['Company', companyLink(path, signal)],
          ['Author', html`${named(shown(author, 'full_name'))}, ${named(shown(author, 'headline'))}`],
          ['Source', html`<code>${shown(signal, 'source_url')}</code>`],
          ['Found by', foundBy(id, signal)],
          ['Run', runLink(id, shown(signal, 'run_id'))],
          ['Found in', html`<code>${shown(signal, 'subject')}</code>`],
        ])}
        <h2>Payload</h2>
        <pre tabindex="0">${JSON.stringify(signal['data'] ?? null, null, 2)}</pre>`,
    };
  },
});

const paidBy = (id: number, signal: AnswerPart): Html | string =>
  shown(signal, 'movement_id') === '-'
    ? 'nobody was charged'
    : html`by movement ${movementLink(id, shown(signal, 'movement_id'))}`;

const foundBy = (id: number, signal: AnswerPart): Html | string =>
  shown(signal, 'agent_id') === '-'
    ? 'added by hand'
    : html`<a href="${address(`/console/workspaces/${id}/runs`, { agent: shown(signal, 'agent_id') })}"
        >${shown(signal, 'agent_name')}</a
      >`;

const textPart = (name: string, signal: AnswerPart, member: string): Html =>
  rowsOf(signal, member).length === 0
    ? html``
    : html`<h2>${name}</h2>
        <blockquote>${marked(signal, member)}</blockquote>`;
