import { counted } from '#kernel/values/counted.js';
import { html, type Html } from '#http/page.js';
import { idParam } from '#http/parameters.js';
import { cells, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { atDesk, subjectPage, SUBJECT_STATUSES } from '../console-endpoints.js';
import { faultPart } from '../page-answers.js';
import type { Job } from '../jobs.js';
import { actionLinks, facts, table, figuresPart } from '../layout.js';
import { liveScript } from '../live-script.js';
import { badge, streamLink } from '../parts.js';
import { progressWords } from '../progress-words.js';

const params = { job_id: idParam(404) };

export const ProgressPage = subjectPage({
  route: 'GET /console/progress/:job_id',
  summary: 'The progress and the result of a verification or rebuild',
  params,
  async show({ job, may }, { job_id: id }) {
    const found = job(id);
    const back = html`<p><a href="${found.back}">Back to the page that started it</a></p>`;
    if (found.outcome !== null) {
      return { title: found.title, body: html`${outcomePart(found)} ${back}` };
    }
    const { done, total, words } = progressWords(found.progress);
    const bar =
      total === null
        ? html`<progress aria-label="${found.title}"></progress>`
        : html`<progress aria-label="${found.title}" max="${total}" value="${done}"></progress>`;
    const name = Reflect.get(found.input, 'name');
    return {
      title: found.title,
      refreshSeconds: REFRESH_SECONDS,
      body: html`<section class="live" data-live="/console/progress/${id}/events">
          ${bar}
          <p class="words" role="status">${words}</p>
        </section>
        <p>Started by ${found.operator}. It continues if you leave this page.</p>
        ${typeof name === 'string' ? actionLinks(may, [['projections.cancel', { name }, 'Stop it']]) : ''}
        <noscript><p>This page reloads every ${REFRESH_SECONDS} seconds.</p></noscript>
        ${back}
        <script src="${liveScript.path}" defer></script>`,
    };
  },
});

/** The reload interval without scripts. */
const REFRESH_SECONDS = 2;

export const ProgressStream = atDesk({
  route: 'GET /console/progress/:job_id/events',
  summary: 'The progress of a verification or rebuild as server-sent events, until it ends',
  params,
  textType: 'text/event-stream',
  otherStatuses: SUBJECT_STATUSES,
  answer: (desk, { params: { job_id: id }, ...asked }) => desk.follow(asked, id),
});

/** The result of the work, by its command. */
function outcomePart({ command, outcome }: Job): Html {
  if (outcome === null) return html``;
  if ('error' in outcome) return failedPart(outcome.error);
  if (command === 'ledger.verify') return ledgerPart(partOf(outcome.answer));
  if (command === 'projections.verify') return verifiedPart(outcome.answer);
  return rebuiltPart(outcome.answer);
}

function failedPart(error: unknown): Html {
  try {
    return faultPart(error);
  } catch {
    return html`<p class="notice fault" role="alert">
      It failed, and nothing was changed. The log of the service contains the reason.
    </p>`;
  }
}

const ledgerPart = (answer: AnswerPart): Html =>
  html`${
    answer['ok'] === true
      ? html`<p class="notice" role="status">The ledger and its read models agree in everything.</p>`
      : html`<p class="notice fault" role="alert">
          ${counted(rowsOf(answer, 'differences').length, 'difference')} found, the first one first.
        </p>`
  }
  ${figuresPart([
    ['Result', answer['ok'] === true ? badge('good', 'verified') : badge('bad', 'differences')],
    ['Up to revision', shown(answer, 'revision')],
    ['Movements', shown(answer, 'movements')],
  ])}
  ${facts([['Hash', html`<code>${shown(answer, 'hash')}</code>`]])}
  ${differencesPart(rowsOf(answer, 'differences'))}`;

const MOST_DIFFERENCES = 100;

const differencesPart = (differences: readonly AnswerPart[]): Html =>
  differences.length === 0
    ? html``
    : table(
        `Differences${differences.length > MOST_DIFFERENCES ? `, the first ${MOST_DIFFERENCES}` : ''}`,
        ['What', 'Expected', 'Found'],
        differences
          .slice(0, MOST_DIFFERENCES)
          .map((difference) => [
            shown(difference, 'what'),
            html`<code>${shown(difference, 'expected')}</code>`,
            html`<code>${shown(difference, 'found')}</code>`,
          ]),
        'None.',
      );

function verifiedPart(answer: unknown): Html {
  const verified = rowsOf(answer, 'verified');
  return html`${table(
    'Live documents beside a replay of their events',
    [
      'Read model',
      'Result',
      { number: 'Events' },
      { number: 'Documents' },
      { number: 'Differing' },
      'Checksum',
    ],
    verified.map((each) => [
      shown(each, 'name'),
      each['ok'] === true ? badge('good', 'equal') : badge('bad', 'differs'),
      ...cells(each, 'events', 'documents', 'differing'),
      html`<code>${shown(each, 'live_checksum')}</code>`,
    ]),
    'Nothing was verified.',
  )}
  ${verified
    .filter((each) => each['first_difference'] !== null)
    .map((each) => firstDifference(shown(each, 'name'), partOf(each, 'first_difference')))}`;
}

function firstDifference(name: string, difference: AnswerPart): Html {
  const event = partOf(difference, 'event');
  return html`<h2>First difference of ${name}</h2>
    ${facts([
      ['Document', html`<code>${shown(difference, 'key')}</code>`],
      ['Differs from the event', `${shown(event, 'type')}, revision ${shown(event, 'revision')}`],
      ['Stream', streamLink(shown(event, 'stream'))],
    ])}
    <h3>Live</h3>
    <pre tabindex="0">${JSON.stringify(difference['live'] ?? null, null, 2)}</pre>
    <h3>Replayed</h3>
    <pre tabindex="0">${JSON.stringify(difference['replayed'] ?? null, null, 2)}</pre>`;
}

const rebuiltPart = (answer: unknown): Html =>
  table(
    'Result',
    [
      'Read model',
      'Outcome',
      { number: 'Generation' },
      { number: 'Events' },
      { number: 'Events a second' },
      'Reason',
    ],
    rowsOf(answer, 'rebuilt').map((each) => [
      html`<a href="/console/read-models/one?name=${shown(each, 'name')}">${shown(each, 'name')}</a>`,
      badge(shown(each, 'outcome') === 'live' ? 'good' : 'bad', shown(each, 'outcome')),
      ...cells(each, 'generation', 'events', 'events_per_second', 'reason'),
    ]),
    'Nothing was built.',
  );
