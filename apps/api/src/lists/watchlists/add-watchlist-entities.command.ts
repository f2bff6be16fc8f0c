import { ArrayMaxSize, ArrayMinSize } from 'class-validator';
import type { JsonObject } from '#kernel/values/json.js';
import { Type } from '#kernel/values/schema.js';
import { listFilledByCrm } from '#lists/domain/lists/list-members.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { MAX_MEMBERS_AT_ONCE } from '#lists/domain/lists/member.events.js';
import { IsFreeObject } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { handle } from '../../handle.js';
import { listPath } from '../list-path.js';
import { addRows, noMemberAdded } from '../members/add-members.command.js';
import { MEMBER_ROW } from '../members/member-rows.js';
import {
  EntityView,
  entityView,
  RowErrorView,
  type AddedMembers,
  type EntityAnswer,
} from '#lists/answers/member.view.js';

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
  deprecated: { successor: '/api/v2/lists/:kind/:list_id/members' },
})
export class AddWatchlistEntities extends EndpointCommand<
  AddedMembers<EntityAnswer>,
  { body: AddEntitiesBody; params: typeof listPath }
> {}

handle(AddWatchlistEntities, async ({ workspaceId, params, body, context }, ports) => {
  const about = { workspaceId, kind: params.kind, listId: params.list_id, context };
  const { data, errors } = await addRows(ports, about, body.entities, 'entities');
  return { data: data.map(entityView), errors };
});
