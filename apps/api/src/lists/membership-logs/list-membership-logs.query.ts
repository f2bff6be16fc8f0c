import type { Immutable } from '#kernel/events/event.js';
import { START, wayDown } from '#kernel/values/landmarks.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { MembershipSource } from '#lists/domain/lists/member.events.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import {
  membershipLogLandmarks,
  membershipLogLandmarksKey,
} from '#projections/lists/membership-log-landmarks/membership-log-landmarks.projection.js';
import {
  membershipLogs,
  type MembershipLogDocument,
} from '#projections/lists/membership-logs/membership-logs.projection.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { findList, listPath } from '../list-path.js';

const text = Nullable(Type.String());

/** The fields of an entry besides the member. */
export const ChangeOfMember = {
  action: OneOf('added', 'removed'),
  network_handle: text,
  network_url: text,
  domain: text,
  name: text,
  source: MembershipSource,
  occurred_at: Timestamp,
};

const MembershipChange = Type.Object(
  { id: Id, member_id: Id, ...ChangeOfMember },
  { title: 'MembershipChange' },
);
type MembershipChange = Immutable<Static<typeof MembershipChange>>;

export const membershipLogsQuery = { page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/lists/:kind/:list_id/membership-logs',
  summary: 'List the members that were added to a list or removed from it',
  description: 'Newest first; entries of the same moment in reverse order, too.',
  params: listPath,
  query: membershipLogsQuery,
  response: PageOf(MembershipChange),
  problems: [listNotFound],
})
export class ListMembershipLogs extends EndpointQuery<
  PageOf<MembershipChange>,
  { query: typeof membershipLogsQuery; params: typeof listPath }
> {}

export const listMembershipLogs = handle(ListMembershipLogs, async (request, ports) => {
  const { workspaceId, params, query } = request;
  const { kind, list_id: listId } = params;
  const { page: asked } = query;
  const { membershipChanges: total } = await findList(ports.readModels, workspaceId, kind, listId);
  const way = asked.skip === 0 ? START : await wayTo(ports, workspaceId, listId, asked.skip);
  if (way === null) return page([], total, asked);
  const entries = await ports.readModels.find(membershipLogs, {
    where: { workspaceId, listId },
    sort: [
      ['occurredAt', 'desc'],
      ['listRevision', 'desc'],
      ['id', 'desc'],
    ],
    ...(way.bound === null ? {} : { after: way.bound }),
    skip: way.skip,
    limit: asked.pageSize,
  });
  return page(entries.map(membershipChange), total, asked);
});

async function wayTo({ readModels }: ApiPorts, workspaceId: number, listId: number, skip: number) {
  const key = membershipLogLandmarksKey(workspaceId, listId);
  return wayDown(await readModels.get(membershipLogLandmarks, key), skip);
}

const membershipChange = (entry: MembershipLogDocument): MembershipChange => ({
  id: entry.id,
  member_id: entry.member_id,
  action: entry.action,
  network_handle: entry.network_handle,
  network_url: entry.network_url,
  domain: entry.domain,
  name: entry.name,
  source: entry.source,
  occurred_at: entry.occurredAt,
});
