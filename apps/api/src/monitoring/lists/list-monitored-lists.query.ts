import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { findLists, listsQuery } from '../../lists/list-path.js';
import { MonitoredListView, monitoredListViews, type MonitoredListAnswer } from './monitored-list.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/lists',
  summary: 'List the lists with their monitoring',
  description: 'Archived lists only on request.',
  query: listsQuery,
  response: PageOf(MonitoredListView),
})
export class ListMonitoredLists extends EndpointQuery<
  PageOf<MonitoredListAnswer>,
  { query: typeof listsQuery }
> {}

handle(ListMonitoredLists, async ({ workspaceId, query: asked }, { readModels }) => {
  const { rows, total } = await findLists(readModels, workspaceId, asked);
  return page(await monitoredListViews(readModels, workspaceId, rows), total, asked.page);
});
