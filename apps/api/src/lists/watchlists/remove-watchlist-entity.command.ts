import { memberNotFound } from '#lists/domain/lists/list-members.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint } from '#http/endpoint.js';
import { memberPath } from '../list-path.js';
import { RemoveMember } from '../members/remove-member.command.js';

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v2/watchlists/:kind/:list_id/entities/:member_id',
  summary: 'Remove a member from a list (older path)',
  status: 204,
  params: memberPath,
  problems: [listNotFound, memberNotFound],
  deprecated: { successor: '/api/v2/lists/:kind/:list_id/members/:member_id' },
})
export class RemoveWatchlistEntity extends RemoveMember {}
