import type { Filter } from '#kernel/ports/read-store.port.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf, type PageRequest } from '#http/paging.js';
import { offsetPage, oneOfQuery, textQuery } from '#http/parameters.js';
import {
  listMembers,
  searchedText,
  type ListMemberDocument,
} from '#projections/lists/list-members/list-members.projection.js';
import type { ListDocument } from '#projections/lists/lists/lists.projection.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import {
  MonitoredMemberView,
  monitoredMemberView,
  type MonitoredMemberAnswer,
} from '#lists/answers/member.view.js';
import { findList, listPathProblems, listPathV3 } from '../list-path.js';
import { findPage } from '../../find-page.js';
import { findMembers } from './list-members.query.js';

type Bucket = 'essential' | 'none';

const query = {
  page: offsetPage({ invalid: 400 }),
  /** Text to search for; null or empty: all members. */
  q: textQuery({ maximum: 255, invalid: 400, empty: true }),
  /** Monitored members, or members that are not; null: both. */
  signal_buckets: oneOfQuery({ values: ['essential', 'none'], otherwise: null, invalid: 400 }),
};

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/lists/:kind/:list_id/members',
  summary: 'List the members of a list with their monitoring',
  description:
    'By id. `signal_buckets` selects monitored members (essential), whether picked or with their list, or ' +
    'members that are not monitored (none). `q` is as in v2.',
  params: listPathV3,
  query,
  response: PageOf(MonitoredMemberView),
  problems: listPathProblems,
})
export class ListMonitoredMembers extends EndpointQuery<
  PageOf<MonitoredMemberAnswer>,
  { query: typeof query; params: typeof listPathV3 }
> {}

handle(ListMonitoredMembers, async ({ workspaceId, params, query: asked }, ports) => {
  const { kind, list_id: listId } = params;
  const { q: text, signal_buckets: bucket } = asked;
  const list = await findList(ports.readModels, workspaceId, kind, listId);
  const { members, total } =
    bucket === null
      ? await findMembers(ports.readModels, { workspaceId, ...params }, text, asked.page)
      : await ofBucket(ports, list, bucket, { workspaceId, listId }, text, asked.page);
  return page(
    members.map((member) => monitoredMemberView(list, member)),
    total,
    asked.page,
  );
});

async function ofBucket(
  { readModels }: ApiPorts,
  list: ListDocument,
  bucket: Bucket,
  inList: { readonly workspaceId: number; readonly listId: number },
  text: string | null,
  asked: PageRequest,
): Promise<{ readonly members: readonly ListMemberDocument[]; readonly total: number }> {
  const wanted = searchedText(text ?? '');
  const where = wanted === '' ? inList : { ...inList, search: { contains: wanted } };
  const filter = inBucket(list, bucket, where);
  const { rows: members, total } = await findPage(readModels, listMembers, filter, asked);
  return { members, total };
}

/** Members with a setting newer than that of the list, and all others if the list has the requested setting. */
function inBucket(list: ListDocument, bucket: Bucket, where: Filter['where']): Filter {
  const since = list.monitoringRevision ?? -1;
  const own = bucket === 'essential' ? 'essential' : 'off';
  const other = bucket === 'essential' ? 'off' : 'essential';
  const isOwn = { monitoring: own, monitoringRevision: { gt: since } };
  if ((list.signal_buckets === null) !== (bucket === 'none')) return { where: { ...where, ...isOwn } };
  return {
    where,
    anyOf: [{ where: { monitoring: { ne: other } } }, { where: { monitoringRevision: { lte: since } } }],
  };
}
