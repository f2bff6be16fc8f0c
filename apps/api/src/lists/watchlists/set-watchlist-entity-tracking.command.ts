import { CommandBus } from '@nestjs/cqrs';
import { memberNotFound } from '#lists/domain/lists/list-members.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { memberPath } from '../list-path.js';
import { EntityView, entityView } from '#lists/answers/member.view.js';
import { SetMemberTracking, SetMemberTrackingBody } from '../members/set-member-tracking.command.js';
import { replacedBy } from './watchlist.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v2/watchlists/:kind/:list_id/entities/:member_id/tracking-status',
  summary: 'Follow a member of a list or not (older path)',
  params: memberPath,
  body: SetMemberTrackingBody,
  response: DataOf(EntityView),
  problems: [listNotFound, memberNotFound],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/members/:member_id/tracking-status'),
})
export class SetWatchlistEntityTrackingEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(request: EndpointRequest<{ body: SetMemberTrackingBody; params: typeof memberPath }>) {
    const { data } = await this.commands.execute(new SetMemberTracking(request));
    return { data: entityView(data) };
  }
}
