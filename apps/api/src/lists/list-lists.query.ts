import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { handle } from '../handle.js';
import { findLists, listsQuery } from './list-path.js';
import { listView, ListView, type ListAnswer } from './list.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/lists',
  summary: 'List the lists',
  description: 'Archived lists only on request.',
  query: listsQuery,
  response: PageOf(ListView),
})
export class ListLists extends EndpointQuery<PageOf<ListAnswer>, { query: typeof listsQuery }> {}

export const listLists = handle(ListLists, async ({ workspaceId, query: asked }, { readModels }) => {
  const { rows, total } = await findLists(readModels, workspaceId, asked);
  return page(rows.map(listView), total, asked.page);
});
