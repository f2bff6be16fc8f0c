import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { findList, listPathProblems, listPathV3 } from '../../lists/list-path.js';
import { MonitoredListView, monitoredListOf, type MonitoredListAnswer } from './monitored-list.view.js';

type Found = { readonly data: MonitoredListAnswer };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/lists/:kind/:list_id',
  summary: 'Get a list with its monitoring',
  description:
    'As in v2, with the bucket in which its members are monitored and the number of covered members that ' +
    'this list monitors.',
  params: listPathV3,
  response: DataOf(MonitoredListView),
  problems: listPathProblems,
})
export class GetMonitoredList extends EndpointQuery<Found, { params: typeof listPathV3 }> {}

export const getMonitoredList = handle(GetMonitoredList, async ({ workspaceId, params }, { readModels }) => {
  const { kind, list_id: listId } = params;
  const list = await findList(readModels, workspaceId, kind, listId);
  return { data: await monitoredListOf(readModels, workspaceId, list) };
});
