import { html } from '#http/page.js';
import { textQuery } from '#http/parameters.js';
import { cells, rowsOf, shown, type AnswerPart } from '../answer.js';
import { page } from '../console-endpoints.js';
import { table } from '../layout.js';

export const SearchPage = page({
  route: 'GET /console/search',
  summary: 'Find a workspace, movement, key, company or run; a single result is opened',
  query: { q: textQuery({ maximum: 200, invalid: 422, empty: true }) },
  async show({ run, requireMay }, { q }) {
    requireMay('search.find');
    const text = q?.trim() ?? '';
    const found = text === '' ? [] : rowsOf(await run('search.find', { text }), 'found');
    const [only] = found;
    if (only !== undefined && found.length === 1) return { to: linkOf(only) };
    return {
      title: text === '' ? 'Search' : `Found for ${text}`,
      body: html`${table(
          `${found.length} found`,
          ['What', 'Id', 'Name', 'Workspace'],
          found.map((each) => [
            shown(each, 'kind'),
            html`<a href="${linkOf(each)}">${shown(each, 'id')}</a>`,
            ...cells(each, 'name', 'workspace_id'),
          ]),
          text === '' ? 'Nothing was searched for.' : 'Nothing was found.',
        )}
        <p>
          Workspaces are found by name or id, companies by domain or id, keys by their beginning or id,
          movements and runs by id.
        </p>`,
    };
  },
});

/** The page of a search result; keys and companies have none. */
function linkOf(found: AnswerPart): string {
  const workspace = `/console/workspaces/${shown(found, 'workspace_id')}`;
  const id = shown(found, 'id');
  switch (shown(found, 'kind')) {
    case 'movement':
      return `${workspace}/movements/${id}`;
    case 'run':
      return `${workspace}/runs/${id}`;
    case 'company':
      return `${workspace}/charges?company=${id}`;
    case 'key':
      return `${workspace}/access`;
    default:
      return `${workspace}/ledger`;
  }
}
