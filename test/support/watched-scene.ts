import { workspaceScoped } from '#kernel/commands/decider.js';
import { addMembers } from '#lists/domain/lists/list-members.js';
import { createEmployeeList, createList, list } from '#lists/domain/lists/list.js';
import type { ListType } from '#lists/domain/lists/list.events.js';
import type { LaunchScope } from '#signals/domain/launches/launch.events.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import type { SignalHouse } from './signal-house.js';
import { topAccountFound } from './top-accounts.js';

/** A list that a launch can use, with these handles on it, all followed. */
export async function watchedList(
  { operator, now, decide }: SignalHouse,
  workspaceId: number,
  { type, handles }: { readonly type: ListType; readonly handles: readonly string[] },
): Promise<LaunchScope> {
  const { ids } = operator;
  const listId = await ids.next('list');
  const memberIds = await ids.nextMany('member', handles.length);
  const stream = workspaceScoped(workspaceId, listId);
  const createdAt = now().toISOString();
  const created =
    type === 'employee'
      ? createEmployeeList({ listId, now: createdAt })
      : createList({
          listId,
          type,
          name: type,
          description: null,
          defaultTrackingStatus: 'followed',
          tier: null,
          personaIds: [],
          now: createdAt,
        });
  await decide(workspaceId, list, stream, created);
  const members = handles.map((handle, index) => ({
    memberId: memberIds[index] ?? 0,
    handle,
    networkUrl: null,
    domains: [],
    name: null,
    logoUrl: null,
  }));
  await decide(workspaceId, list, stream, addMembers({ members, source: 'api', now: createdAt }));
  // Created is its first event, its members are the second.
  return { kind: 'list', listId, listRevision: '1' };
}

/** Makes companies found top accounts of a workspace, by network ref. */
export async function foundTopAccounts(
  { operator, now, decide }: SignalHouse,
  workspaceId: number,
  companyRefs: readonly string[],
): Promise<void> {
  const { ids } = operator;
  for (const companyRef of companyRefs) {
    const accountId = await ids.next('account');
    const found = topAccountFound({
      accountId,
      companyId: await ids.next('company'),
      companyRef,
      tier: null,
      foundAt: now().toISOString(),
    });
    await decide(workspaceId, topAccounts, String(workspaceId), found);
  }
}
