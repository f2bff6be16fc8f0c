import { counted } from '#kernel/values/counted.js';
import { formatCredits, fromStored } from '#kernel/values/credits.js';
import { html, type Html } from '#http/page.js';
import { textQuery } from '#http/parameters.js';
import { numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { page } from '../console-endpoints.js';
import { ID_FIELD, PAGE_NUMBER } from '../desk.js';
import { table } from '../layout.js';
import { moment, named, pager } from '../parts.js';

export const AuditPage = page({
  route: 'GET /console/audit',
  summary: 'The changes by operators, newest first',
  query: {
    page: PAGE_NUMBER,
    operator: textQuery({ maximum: 100, invalid: 422, empty: true }),
    workspace: ID_FIELD,
    what: textQuery({ maximum: 100, invalid: 422, empty: true }),
  },
  async show({ run }, { page, operator, workspace, what }) {
    const wanted = {
      ...(operator !== null && operator !== '' && { operator }),
      ...(workspace !== null && { workspace_id: workspace }),
      ...(what !== null && what.trim() !== '' && { what: typeOf(what) }),
    };
    const answer = await run('audit.list', { ...wanted, page });
    return {
      title: 'Audit log',
      body: html`<form class="filter" method="get" action="/console/audit">
          <label>Operator <input name="operator" value="${operator ?? ''}" /></label>
          <label>Workspace <input name="workspace" type="number" min="1" value="${workspace ?? ''}" /></label>
          <label>First event <input name="what" value="${what ?? ''}" placeholder="Credits granted" /></label>
          <button>Show</button>
          <a href="/console/audit">All</a>
        </form>
        ${table(
          `${counted(numberOf(partOf(answer), 'total'), 'action')} that changed something`,
          ['When (UTC)', 'Who', 'What was written', 'About', 'Workspace', 'Request'],
          rowsOf(answer, 'actions').map(actionRow),
          'No operator changed anything that fits.',
        )}
        ${pager(answer, '/console/audit', { operator, workspace, what })}
        <p>Refusals and exports are lines of the log of the service, with the operator.</p>`,
    };
  },
});

function actionRow(action: AnswerPart): readonly (Html | string)[] {
  const workspace = shown(action, 'workspace_id');
  const events = rowsOf(action, 'events');
  const count = Number(shown(action, 'count'));
  return [
    moment(action, 'at'),
    `${shown(action, 'operator')}${shown(action, 'via') === 'cli' ? ' (named at the command line)' : ''}`,
    html`${events.map(
      (event, index) => html`${index === 0 ? '' : ', '}${words(shown(event, 'type'))}`,
    )}${count > events.length ? html` and ${count - events.length} more` : ''}`,
    html`${events.map((event) => html`${aboutPart(partOf(event, 'about'), workspace)} `)}`,
    workspace === '-' ? '-' : html`<a href="/console/workspaces/${workspace}/ledger">${workspace}</a>`,
    html`<code>${shown(action, 'request_id')}</code>`,
  ];
}

/** `CreditsGranted` as readable words. */
const words = (type: string): string =>
  type.replace(/(?!^)([A-Z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`);

/** The event type of the words that the page shows for it. */
const typeOf = (text: string): string =>
  text
    .trim()
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())
    .replace(/\s+([a-z])/g, (_, letter: string) => letter.toUpperCase());

function aboutPart(about: AnswerPart, workspace: string): Html {
  const movement = shown(about, 'movementId');
  const credits = shown(about, 'credits');
  const others = Object.keys(about)
    .filter((name) => name !== 'movementId' && name !== 'credits')
    .map(
      (name, index) =>
        html`${index === 0 ? '' : ', '}${words(name).replace(/ id$/, '')} ${named(shown(about, name))}`,
    );
  return html`${
    movement === '-' || workspace === '-'
      ? ''
      : html`<a href="/console/workspaces/${workspace}/movements/${movement}">movement ${movement}</a> `
  }${/^-?\d+$/.test(credits) ? `${counted(formatCredits(fromStored(credits)), 'credit')} ` : ''}${others}`;
}
