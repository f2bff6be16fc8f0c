import { memberNotFound } from '#lists/domain/lists/list-members.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { memberPath } from '../list-path.js';
import { EntityView, entityView, type EntityAnswer } from '#lists/answers/member.view.js';
import { setMemberTracking, SetMemberTrackingBody } from '../members/set-member-tracking.command.js';

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v2/watchlists/:kind/:list_id/entities/:member_id/tracking-status',
  summary: 'Follow a member of a list or not (older path)',
  params: memberPath,
  body: SetMemberTrackingBody,
  response: DataOf(EntityView),
  problems: [listNotFound, memberNotFound],
  deprecated: { successor: '/api/v2/lists/:kind/:list_id/members/:member_id/tracking-status' },
})
export class SetWatchlistEntityTracking extends EndpointCommand<
  DataOf<EntityAnswer>,
  { body: SetMemberTrackingBody; params: typeof memberPath }
> {}

handle(SetWatchlistEntityTracking, async (request, ports) => {
  const { data } = await setMemberTracking(request, ports);
  return { data: entityView(data) };
});
