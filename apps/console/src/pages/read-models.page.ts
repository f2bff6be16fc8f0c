import { html, type Html } from '#http/page.js';
import { textQuery } from '#http/parameters.js';
import { earlierGeneration, isBeingBuilt } from '../actions/read-models.actions.js';
import { cells, numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { page, subjectPage } from '../console-endpoints.js';
import type { Job } from '../jobs.js';
import { actionLinks, facts, table, figuresPart } from '../layout.js';
import { badge, named, streamLink } from '../parts.js';
import { progressWords } from '../progress-words.js';

export const ReadModelsPage = page({
  route: 'GET /console/read-models',
  summary: 'The progress of each read model, running rebuilds, and failures',
  async show({ run, jobs }) {
    const models = rowsOf(await run('projections.status', {}), 'projections');
    const halted = models.filter((model) => isHalted(model) || parkedOf(model) > 0);
    const built = models.filter(isBeingBuilt);
    const lag = Math.max(0, ...models.map((model) => numberOf(model, 'lag_seconds')));
    const underWay = jobs();
    return {
      title: 'Read models',
      body: html`${figuresPart([
        ['Read models', String(models.length)],
        ['Longest lag', `${lag} s`],
        ['Halted or parked', halted.length === 0 ? '0' : badge('bad', String(halted.length))],
        ['Being built', String(built.length)],
      ])}
      ${
        underWay.length === 0
          ? ''
          : html`<h2>Running in this process</h2>
              <ul>
                ${underWay.map(
                  ({ id, title, progress }) =>
                    html`<li>
                      <a href="/console/progress/${id}">${named(title)}</a>: ${progressWords(progress).words}
                    </li>`,
                )}
              </ul>`
      }
      ${table(
        'By name',
        [
          'Read model',
          { number: 'Version' },
          { number: 'Generation' },
          { number: 'Lag (s)' },
          { number: 'Applied' },
          { number: 'Parked workspaces' },
          'State',
        ],
        models.map((model) => [
          html`<a href="/console/read-models/one?name=${shown(model, 'name')}">${shown(model, 'name')}</a>`,
          ...cells(model, 'version', 'live', 'lag_seconds', 'applied'),
          String(parkedOf(model)),
          stateOf(model, underWay),
        ]),
        'There is no read model.',
      )}`,
    };
  },
});

export const ReadModelPage = subjectPage({
  route: 'GET /console/read-models/one',
  summary: 'One read model: its generations, its parked workspaces with the fault, and actions',
  query: { name: textQuery({ maximum: 100, invalid: 422 }) },
  async show({ run, may, jobs }, { name: asked }) {
    const name = asked ?? '';
    const [model = {}] = rowsOf(await run('projections.status', { name }), 'projections');
    const answer = await run('projections.parked', { name });
    const parked = rowsOf(answer, 'parked');
    const underWay = jobs();
    const given = { name };
    const hasFault = parked.length > 0 || isHalted(model);
    return {
      title: `Read model ${name}`,
      body: html`<p><a href="/console/read-models">All read models</a></p>
        ${figuresPart([
          ['State', stateOf(model, underWay)],
          ['Lag', `${shown(model, 'lag_seconds')} s`],
          ['Version', shown(model, 'version')],
          ['Generation', shown(model, 'live'), `of ${generationsOf(model)}`],
          ['Applied', shown(model, 'applied'), `${shown(model, 'scanned')} given`],
        ])}
        ${actionLinks(may, [
          ['projections.verify', given, 'Verify'],
          ['projections.rebuild', given, isBeingBuilt(model) ? 'Go on with the rebuild' : 'Rebuild'],
          ...(earlierGeneration(model) === '-'
            ? []
            : [['projections.rollback', given, 'Roll back'] as const]),
          ...(isBeingBuilt(model) || isUnderWay(model, underWay)
            ? [['projections.cancel', given, 'Stop'] as const]
            : []),
          ...(hasFault ? [['projections.retry', given, 'Fold parked events again'] as const] : []),
        ])}
        ${haltPart(partOf(model, 'halted'))}
        <h2>Parked workspaces</h2>
        ${table(
          'The first event of each that could not be folded',
          ['Workspace', { number: 'Events parked' }, 'Fault', 'Event', 'Stream', { number: 'Revision' }],
          parked.map((row) => [
            html`<a href="/console/workspaces/${shown(row, 'workspace_id')}/ledger"
              >${shown(row, 'workspace_id')}</a
            >`,
            ...cells(row, 'events', 'reason', 'type'),
            streamLink(shown(row, 'stream')),
            shown(row, 'revision'),
          ]),
          'None.',
        )}
        <h2>Where it is</h2>
        ${facts([
          ['Checkpoint', html`<code>${shown(model, 'checkpoint')}</code>`],
          ['End of the log', html`<code>${shown(model, 'head')}</code>`],
          ['Ignored events', shown(model, 'ignored')],
          ['Projected by', html`<code>${shown(model, 'lease_holder')}</code>`],
        ])}`,
    };
  },
});

const isHalted = (model: AnswerPart): boolean => shown(partOf(model, 'halted'), 'reason') !== '-';
const parkedOf = (model: AnswerPart): number => rowsOf(model, 'parked_workspaces').length;

function generationsOf(model: AnswerPart): string {
  const all = model['generations'];
  return Array.isArray(all) ? all.join(', ') : '-';
}

const jobOf = (model: AnswerPart, underWay: readonly Job[]): Job | undefined =>
  underWay.find(({ input }) => Reflect.get(input, 'name') === model['name']);

const isUnderWay = (model: AnswerPart, underWay: readonly Job[]): boolean =>
  jobOf(model, underWay) !== undefined;

/** Halted, parked, being built (with progress and remaining time if this process builds it), or live. */
function stateOf(model: AnswerPart, underWay: readonly Job[]): Html {
  if (isHalted(model)) return badge('bad', 'halted');
  if (parkedOf(model) > 0) return badge('bad', 'parked');
  const job = jobOf(model, underWay);
  if (job !== undefined)
    return html`<a href="/console/progress/${job.id}">${progressWords(job.progress).words}</a>`;
  if (isBeingBuilt(model)) {
    return badge('plain', `building: ${shown(model, 'rebuild_events')} of ${shown(model, 'scanned')} events`);
  }
  return shown(model, 'live') === '-' ? badge('plain', 'first build') : badge('good', 'live');
}

const haltPart = (halt: AnswerPart): Html =>
  shown(halt, 'reason') === '-'
    ? html``
    : html`<div class="notice fault" role="alert">
        <p><strong>Halted.</strong> ${shown(halt, 'reason')}</p>
        <p>
          ${shown(halt, 'type')}, revision ${shown(halt, 'revision')} of ${streamLink(shown(halt, 'stream'))}
        </p>
      </div>`;
