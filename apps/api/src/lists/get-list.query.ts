import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../handle.js';
import { findList, listPath } from './list-path.js';
import { listView, ListView, type ListAnswer } from './list.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/lists/:kind/:list_id',
  summary: 'Get a list',
  description: 'Archived ones as well. The kind must be that of the list.',
  params: listPath,
  response: DataOf(ListView),
  problems: [listNotFound],
})
export class GetList extends EndpointQuery<DataOf<ListAnswer>, { params: typeof listPath }> {}

export const getList = handle(GetList, async ({ workspaceId, params }, { readModels }) => {
  const { kind, list_id: listId } = params;
  return { data: listView(await findList(readModels, workspaceId, kind, listId)) };
});
