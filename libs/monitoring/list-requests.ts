import { eachPage } from '#kernel/projections/each-page.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import {
  monitoredMembers,
  type MonitoredMemberDocument,
} from '#projections/monitoring/monitored-members/monitored-members.projection.js';

/** A list may have ten thousand members. */
const MEMBERS_AT_ONCE = 500;

/** The members that these lists request, or requested before, with their companies and business units. */
export async function requestsOfLists(
  readModels: ReadModels,
  workspaceId: number,
  listIds: readonly number[],
): Promise<readonly MonitoredMemberDocument[]> {
  const pages = eachPage(readModels, monitoredMembers, {
    where: { workspaceId, listId: { in: listIds } },
    sort: [
      ['listId', 'asc'],
      ['memberId', 'asc'],
    ],
    limit: MEMBERS_AT_ONCE,
  });
  const members: MonitoredMemberDocument[] = [];
  for await (const page of pages) members.push(...page);
  return members;
}

/** The companies that a list requests now. */
export async function companiesOfList(
  readModels: ReadModels,
  workspaceId: number,
  listId: number,
): Promise<ReadonlySet<number>> {
  const members = await requestsOfLists(readModels, workspaceId, [listId]);
  return new Set(members.filter(({ isWanted }) => isWanted).map(({ companyId }) => companyId));
}

/** The company of a member that a list requests, or requested before; empty if it never did. */
export async function companyOfMember(
  readModels: ReadModels,
  workspaceId: number,
  listId: number,
  memberId: number,
): Promise<ReadonlySet<number>> {
  const found = await readModels.find(monitoredMembers, { where: { workspaceId, listId, memberId } });
  return new Set(found.map(({ companyId }) => companyId));
}
