import { counted } from '#kernel/values/counted.js';
import { html, type Html } from '#http/page.js';
import { idQuery } from '#http/parameters.js';
import { numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { actionLink } from '../actions/action.js';
import { subjectPage } from '../console-endpoints.js';
import { WORKSPACE_PATH } from '../desk.js';
import { table, workspaceNav, figuresPart, type FigureRow } from '../layout.js';
import { address, further, moment, movementLink, runLink } from '../parts.js';
import { workspaceName } from '../workspace.js';

const AGES: { readonly [age: string]: string } = {
  hour: 'Under an hour',
  day: 'Under a day',
  older: 'Older: released or captured by the sweep',
};

export const HoldsPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/holds',
  summary: 'The open holds by age, oldest first, with their owners',
  params: WORKSPACE_PATH,
  query: { after: idQuery(422) },
  async show(visit, { workspace_id: id, after }) {
    const answer = await visit.run('hold.list', { workspace_id: id, ...(after !== null && { after }) });
    const path = `/console/workspaces/${id}/holds`;
    const next = shown(partOf(answer), 'next');
    const ages = rowsOf(answer, 'ages').map((row): FigureRow => [
      AGES[shown(row, 'age')] ?? shown(row, 'age'),
      shown(row, 'credits'),
      counted(numberOf(row, 'holds'), 'hold'),
    ]);
    const total = numberOf(partOf(answer), 'total');
    return {
      title: `Holds of ${await workspaceName(visit, id)}`,
      body: html`${workspaceNav(visit.session, id, 'holds')}
      ${figuresPart([['Held in all', shown(partOf(answer), 'credits'), counted(total, 'open hold')], ...ages])}
      ${table(
        'Oldest first',
        [
          'Movement',
          'Held since (UTC)',
          'Age',
          'Product',
          'Owned by',
          'Held for',
          'Paid by',
          { number: 'Credits' },
          'Action',
        ],
        rowsOf(answer, 'holds').map((hold) => [
          movementLink(id, shown(hold, 'movement_id')),
          moment(hold, 'created_at'),
          ageWords(numberOf(hold, 'age_seconds')),
          shown(hold, 'product'),
          ownerOf(id, partOf(hold, 'cause')),
          html`<code>${shown(hold, 'key')}</code>`,
          shown(hold, 'payer'),
          shown(hold, 'credits'),
          visit.may('credits.release')
            ? html`<a
                href="${actionLink('credits.release', { workspace_id: id, movement_id: numberOf(hold, 'movement_id') })}"
                >Release</a
              >`
            : '',
        ]),
        'Nothing is held.',
      )}
      ${further(next === '-' ? null : address(path, { after: next }), 'Younger holds')}`,
    };
  },
});

/** The work that ends a hold. */
function ownerOf(id: number, cause: AnswerPart): Html | string {
  const [run, request] = [shown(cause, 'run_id'), shown(cause, 'request_id')];
  if (run !== '-') return html`run ${runLink(id, run)}`;
  if (request !== '-') return `${shown(cause, 'kind')} request ${request}`;
  return shown(cause, 'kind') === 'operator' ? 'work done elsewhere' : shown(cause, 'kind');
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function ageWords(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h`;
  return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / HOUR)} h`;
}
