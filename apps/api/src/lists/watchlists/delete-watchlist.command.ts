import { employeeListStays, listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint } from '#http/endpoint.js';
import { DeleteList } from '../delete-list.command.js';
import { listPath } from '../list-path.js';

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v2/watchlists/:kind/:list_id',
  summary: 'Delete a list (older path)',
  status: 204,
  params: listPath,
  problems: [listNotFound, employeeListStays],
  deprecated: { successor: '/api/v2/lists/:kind/:list_id' },
})
export class DeleteWatchlist extends DeleteList {}
