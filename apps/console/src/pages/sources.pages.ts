import { html, type Html } from '#http/page.js';
import { idParam, oneOfQuery } from '#http/parameters.js';
import { cells, numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { page, subjectPage } from '../console-endpoints.js';
import { PAGE_NUMBER } from '../desk.js';
import { actionLinks, facts, table } from '../layout.js';
import { badge, choice, moment, pager } from '../parts.js';

export const SourcesPage = page({
  route: 'GET /console/sources',
  summary: 'The sources with their last results, failures and terms',
  query: {
    page: PAGE_NUMBER,
    status: oneOfQuery({ values: ['', 'active', 'paused', 'removed'], invalid: 422, otherwise: '' }),
  },
  async show({ run }, { page, status }) {
    const answer = await run('source.list', { page, ...(status !== '' && { status }) });
    const total = numberOf(partOf(answer), 'total');
    return {
      title: 'Sources',
      body: html`<form class="filter" method="get" action="/console/sources">
          ${choice(
            'status',
            'Status',
            [
              ['', 'active and paused'],
              ['active', 'active'],
              ['paused', 'paused'],
              ['removed', 'removed'],
            ],
            status,
          )}
          <button>Show</button>
        </form>
        ${table(
          `${total} sources; what the last reading showed`,
          [
            'Source',
            'Kind',
            'Status',
            'Last poll (UTC)',
            'Next poll (UTC)',
            { number: 'Items' },
            { number: 'New' },
            { number: 'Changed' },
            { number: 'Gone' },
            { number: 'Errors in a row' },
            'Terms read',
          ],
          rowsOf(answer, 'sources').map((source) => [
            html`<a href="/console/sources/${shown(source, 'source_id')}">${shown(source, 'name')}</a>`,
            shown(source, 'kind'),
            statusBadge(source),
            moment(source, 'last_poll'),
            moment(source, 'next_poll'),
            ...cells(source, 'items', 'new', 'changed', 'closed', 'errors'),
            termsOf(source),
          ]),
          'There is no source of this status. source add adds one.',
        )}
        ${pager(answer, '/console/sources', { status })}`,
    };
  },
});

export const SourcePage = subjectPage({
  route: 'GET /console/sources/:source_id',
  summary: 'One source: its binding, its polls and its terms',
  params: { source_id: idParam(404) },
  async show({ run, may }, { source_id: id }) {
    const source = partOf(await run('source.show', { source_id: id }));
    const subject = partOf(source, 'belongs_to');
    return {
      title: `Source ${shown(source, 'name')}`,
      body: html`<p><a href="/console/sources">All sources</a></p>
        ${warningOf(source)}
        ${actionLinks(may, [
          shown(source, 'status') === 'paused'
            ? ['source.resume', { source_id: id }, 'Resume']
            : ['source.pause', { source_id: id }, 'Pause'],
        ])}
        ${facts([
          ['Status', statusBadge(source)],
          ['Kind', shown(source, 'kind')],
          ['Address', html`<code>${shown(source, 'url')}</code>`],
          ['Board', html`<code>${shown(source, 'board')}</code>`],
          ['Read at', html`<code>${shown(source, 'base_url')}</code>`],
          ['Belongs to', `${shown(subject, 'entity')} ${shown(subject, 'value')}`],
          ['Added (UTC)', moment(source, 'added_at')],
          ['Contacts are redacted', shown(source, 'redacts_contacts')],
          ['Shared with all workspaces', shown(source, 'shared')],
        ])}
        <h2>Last reading</h2>
        ${facts([
          ['Items', shown(source, 'items')],
          ['New', shown(source, 'new')],
          ['Changed', shown(source, 'changed')],
          ['Gone', shown(source, 'closed')],
          ['Without a text', shown(source, 'skipped')],
        ])}
        <h2>Polls</h2>
        ${facts([
          ['Last poll (UTC)', moment(source, 'last_poll')],
          ['Last complete reading (UTC)', moment(source, 'last_success')],
          ['Last reading that showed anything (UTC)', moment(source, 'last_yield')],
          ['Next poll (UTC)', moment(source, 'next_poll')],
          ['Not before, as its host asks (UTC)', moment(source, 'not_before')],
          ['Seconds between requests', shown(source, 'pace_seconds')],
          ['Failures in a row', shown(source, 'errors')],
          ['Last failure', shown(source, 'error')],
        ])}
        <h2>Terms</h2>
        ${facts([
          ['Address', html`<code>${shown(source, 'terms')}</code>`],
          ['Verdict', shown(source, 'terms_verdict')],
          ['Read on', shown(source, 'terms_read')],
        ])}`,
    };
  },
});

const GOOD: ReadonlySet<string> = new Set(['active']);
const BAD: ReadonlySet<string> = new Set(['failing', 'gone']);

function statusBadge(source: AnswerPart): Html {
  const status = shown(source, 'status');
  return badge(GOOD.has(status) ? 'good' : BAD.has(status) ? 'bad' : 'plain', status);
}

const termsOf = (source: AnswerPart): Html | string =>
  shown(source, 'warning') === '-'
    ? shown(source, 'terms_read')
    : html`${shown(source, 'terms_read')} ${badge('bad', 'look')}`;

const warningOf = (source: AnswerPart): Html =>
  shown(source, 'warning') === '-' ? html`` : html`<p class="notice fault">${shown(source, 'warning')}</p>`;
