import { listNotFound, restoreList } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../handle.js';
import { decideList } from './decide-list.js';
import { listPath } from './list-path.js';
import { ListView, type ListAnswer } from './list.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/lists/:kind/:list_id/restore',
  summary: 'Restore a deleted list',
  description:
    'Restores its members too; a list that was archived is archived again. A list that is not deleted does ' +
    'not change.',
  params: listPath,
  response: DataOf(ListView),
  problems: [listNotFound],
})
export class RestoreList extends EndpointCommand<DataOf<ListAnswer>, { params: typeof listPath }> {}

export const listRestored = handle(RestoreList, async ({ workspaceId, params, context }, ports) => {
  const { kind, list_id: listId } = params;
  const about = { workspaceId, kind, listId, context };
  return { data: await decideList(ports, about, restoreList()) };
});
