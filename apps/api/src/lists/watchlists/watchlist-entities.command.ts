import { CommandBus } from '@nestjs/cqrs';
import { ArrayMaxSize, ArrayMinSize } from 'class-validator';
import type { JsonObject } from '#kernel/values/json.js';
import { Type } from '#kernel/values/schema.js';
import { listNotFound } from '#domain/lists/list.js';
import { listFilledByCrm, memberNotFound } from '#domain/lists/list-members.js';
import { MAX_MEMBERS_AT_ONCE } from '#domain/lists/member.events.js';
import { IsFreeObject } from '#http/body.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { AddMembers, noMemberAdded } from '../members/add-members.command.js';
import { listPath, memberPath } from '../list-path.js';
import { MEMBER_ROW, readMemberRows } from '../members/member-rows.js';
import { EntityView, entityView, RowErrorView } from '../members/member.view.js';
import { RemoveMember } from '../members/remove-member.command.js';
import { SetMemberTracking, SetMemberTrackingBody } from '../members/set-member-tracking.command.js';
import { replacedBy } from './watchlist.view.js';

/** The older path of what is done with members (OP-47): they are entities there, without a label. */

export class AddEntitiesBody {
  /** Each names a company or person by `network_url`, `network_handle` or (companies) `domain`. */
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_MEMBERS_AT_ONCE)
  @IsFreeObject({ each: true, judged: MEMBER_ROW })
  entities: JsonObject[];
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/watchlists/:kind/:list_id/entities',
  summary: 'Add members to a list (older path)',
  params: listPath,
  body: AddEntitiesBody,
  response: Type.Object({ data: Type.Array(EntityView), errors: Type.Array(RowErrorView) }),
  problems: [listNotFound, listFilledByCrm, noMemberAdded],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/members'),
})
export class AddWatchlistEntitiesEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(request: EndpointRequest<AddEntitiesBody, NoParameters, typeof listPath>) {
    const { workspaceId, params: asked, body, context } = request;
    const about = { workspaceId, kind: asked.kind, listId: asked.list_id, context };
    const rows = readMemberRows(body.entities, 'entities');
    const { data, errors } = await this.commands.execute(new AddMembers(about, rows, 'entities'));
    return { data: data.map(entityView), errors };
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v2/watchlists/:kind/:list_id/entities/:member_id',
  summary: 'Remove a member from a list (older path)',
  status: 204,
  params: memberPath,
  problems: [listNotFound, memberNotFound],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/members/:member_id'),
})
export class RemoveWatchlistEntityEndpoint {
  constructor(private readonly commands: CommandBus) {}

  handle(request: EndpointRequest<undefined, NoParameters, typeof memberPath>): Promise<void> {
    const { workspaceId, params: asked, context } = request;
    const about = { workspaceId, kind: asked.kind, listId: asked.list_id, context };
    return this.commands.execute(new RemoveMember(about, asked.member_id));
  }
}

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

  async handle(request: EndpointRequest<SetMemberTrackingBody, NoParameters, typeof memberPath>) {
    const { workspaceId, params: asked, body, context } = request;
    const about = { workspaceId, kind: asked.kind, listId: asked.list_id, context };
    const member = await this.commands.execute(
      new SetMemberTracking(about, asked.member_id, body.tracking_status),
    );
    return { data: entityView(member) };
  }
}
