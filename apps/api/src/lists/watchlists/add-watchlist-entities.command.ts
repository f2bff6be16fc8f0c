import { CommandBus } from '@nestjs/cqrs';
import { ArrayMaxSize, ArrayMinSize } from 'class-validator';
import type { JsonObject } from '#kernel/values/json.js';
import { Type } from '#kernel/values/schema.js';
import { listFilledByCrm } from '#lists/domain/lists/list-members.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { MAX_MEMBERS_AT_ONCE } from '#lists/domain/lists/member.events.js';
import { IsFreeObject } from '#http/body.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { listPath } from '../list-path.js';
import { AddMembers, noMemberAdded } from '../members/add-members.command.js';
import { MEMBER_ROW, readMemberRows } from '../members/member-rows.js';
import { EntityView, entityView, memberView, RowErrorView } from '#lists/answers/member.view.js';
import { replacedBy } from './watchlist.view.js';

/** Members are entities on the older path (OP-47). */
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
  response: Type.Object(
    { data: Type.Array(EntityView), errors: Type.Array(RowErrorView) },
    { title: 'AddedWatchlistEntities' },
  ),
  problems: [listNotFound, listFilledByCrm, noMemberAdded],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/members'),
})
export class AddWatchlistEntitiesEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(request: EndpointRequest<{ body: AddEntitiesBody; params: typeof listPath }>) {
    const { workspaceId, params: asked, body, context } = request;
    const about = { workspaceId, kind: asked.kind, listId: asked.list_id, context };
    const rows = readMemberRows(body.entities, 'entities');
    const { data, errors } = await this.commands.execute(new AddMembers(about, rows, 'entities'));
    return { data: data.map(memberView).map(entityView), errors };
  }
}
