import { counted } from '#kernel/values/counted.js';
import { html, type Html } from '#http/page.js';
import { integerQuery, textQuery } from '#http/parameters.js';
import { partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { page, subjectPage } from '../console-endpoints.js';
import { ID_FIELD } from '../desk.js';
import { facts, table } from '../layout.js';
import { address, further, moment, streamLink } from '../parts.js';

export const EventLogPage = page({
  route: 'GET /console/log',
  summary: 'The newest events of the log',
  query: {
    type: textQuery({ maximum: 100, invalid: 422, empty: true }),
    workspace: ID_FIELD,
    before: textQuery({ maximum: 100, invalid: 422, empty: true }),
  },
  async show({ run }, { type, workspace, before }) {
    const answer = await run('log.list', {
      ...(type !== null && type !== '' && { type }),
      ...(workspace !== null && { workspace_id: workspace }),
      ...(before !== null && before !== '' && { before }),
    });
    const next = shown(partOf(answer), 'next');
    return {
      title: 'Event log',
      body: html`<div class="filters">
          <form class="filter" method="get" action="/console/log/stream">
            <label>Stream <input name="stream" placeholder="credits-1" required /></label>
            <button>Open the stream</button>
          </form>
          <form class="filter" method="get" action="/console/log">
            <label>Type <input name="type" value="${type ?? ''}" placeholder="CreditsHeld" /></label>
            <label
              >Workspace (id) <input name="workspace" inputmode="numeric" size="8" value="${workspace ?? ''}"
            /></label>
            <button>Show</button>
          </form>
        </div>
        ${eventsTable(
          `Newest first, among ${counted(shown(partOf(answer), 'looked_at'), 'event')} of the log`,
          rowsOf(answer, 'events'),
        )}
        ${further(
          next === '-' ? null : address('/console/log', { type, workspace, before: next }),
          'Older events',
        )}`,
    };
  },
});

export const EventStreamPage = subjectPage({
  route: 'GET /console/log/stream',
  summary: 'The events of one stream, newest first',
  query: {
    stream: textQuery({ maximum: 300, invalid: 422 }),
    before: integerQuery({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, otherwise: null, invalid: 422 }),
  },
  async show({ run }, { stream, before }) {
    const answer = await run('log.stream', { stream: stream ?? '', ...(before !== null && { before }) });
    const next = shown(partOf(answer), 'next');
    return {
      title: `Stream ${stream ?? ''}`,
      body: html`<p><a href="/console/log">Event log</a></p>
        ${eventsTable('Newest first', rowsOf(answer, 'events'))}
        ${further(
          next === '-' ? null : address('/console/log/stream', { stream, before: next }),
          'Earlier events',
        )}`,
    };
  },
});

export const EventPage = subjectPage({
  route: 'GET /console/log/event',
  summary: 'One event: its data, its cause and its effects',
  query: {
    stream: textQuery({ maximum: 300, invalid: 422 }),
    revision: integerQuery({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, otherwise: 0, invalid: 422 }),
    after: textQuery({ maximum: 100, invalid: 422, empty: true }),
  },
  async show({ run }, { stream, revision, after }) {
    const event = partOf(
      await run('log.event', {
        stream: stream ?? '',
        revision,
        ...(after !== null && after !== '' && { effects_after: after }),
      }),
    );
    const next = shown(event, 'effects_next');
    const unknown = shown(event, 'unknown_cause');
    return {
      title: `${shown(event, 'type')}, revision ${revision}`,
      body: html`<p><a href="/console/log">Event log</a></p>
        ${facts([
          ['Stream', streamLink(shown(event, 'stream'))],
          ['Recorded (UTC)', moment(event, 'recorded_at')],
          ['By', shown(event, 'actor')],
          ['Workspace', workspaceLink(shown(event, 'workspace_id'))],
          ['Event id', html`<code>${shown(event, 'event_id')}</code>`],
          ['Position', html`<code>${shown(event, 'position')}</code>`],
        ])}
        <h2>What it says</h2>
        <pre tabindex="0">${JSON.stringify(event['data'] ?? {}, null, 2)}</pre>
        <details>
          <summary>Metadata</summary>
          <pre tabindex="0">${JSON.stringify(event['metadata'] ?? {}, null, 2)}</pre>
        </details>
        <h2>What caused it</h2>
        ${eventsTable('Nearest first', rowsOf(event, 'causes'), 'No event: a request, an operator or the clock.')}
        ${unknown === '-' ? '' : html`<p>Before that: event <code>${unknown}</code>, of which no place is kept.</p>`}
        <h2>Written together with it</h2>
        ${eventsTable('By the same command, on this stream', rowsOf(event, 'same_command'), 'Nothing.')}
        <h2>What it caused</h2>
        ${eventsTable(
          `In order; ${shown(event, 'effects_looked_at')} later events were looked at`,
          rowsOf(event, 'effects'),
          'Nothing so far.',
        )}
        ${further(
          next === '-' ? null : address('/console/log/event', { stream, revision, after: next }),
          'Look further on',
        )}`,
    };
  },
});

const workspaceLink = (id: string): Html | string =>
  id === '-' ? '-' : html`<a href="/console/workspaces/${id}/ledger">${id}</a>`;

function eventsTable(caption: string, events: readonly AnswerPart[], none = 'No such event.'): Html {
  return table(
    caption,
    ['Recorded (UTC)', 'Event', 'Stream', { number: 'Revision' }, 'Workspace', 'By'],
    events.map((event) => [
      moment(event, 'recorded_at'),
      html`<a
        href="${address('/console/log/event', { stream: shown(event, 'stream'), revision: shown(event, 'revision') })}"
        >${shown(event, 'type')}</a
      >`,
      streamLink(shown(event, 'stream')),
      shown(event, 'revision'),
      workspaceLink(shown(event, 'workspace_id')),
      shown(event, 'actor'),
    ]),
    none,
  );
}
