import type { ListStreamEvents } from '#lists/domain/lists/list.events.js';
import type { MembershipSource } from '#lists/domain/lists/member.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { projection } from '#kernel/projections/projection.js';
import type { Recorded } from '#kernel/events/event.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** The addition or removal of a member, as the API returns it (snake_case). */
export type MembershipLogDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly listId: number;
  readonly member_id: number;
  readonly action: 'added' | 'removed';
  readonly network_handle: string | null;
  readonly network_url: string | null;
  /** The domain of a company, if it was added with one: the only name of a company that is not on the network. */
  readonly domain: string | null;
  readonly name: string | null;
  readonly source: MembershipSource;
  readonly occurredAt: string;
  /** The position of its event in the list's stream: orders entries with the same time (OP-46). */
  readonly listRevision: number;
};

type MembershipPayloads = Pick<ListStreamEvents, 'MembersAdded' | 'MembersRemoved'>;
type MembershipData = MembershipPayloads[keyof MembershipPayloads];
type Action = MembershipLogDocument['action'];

/** A membership begins once and ends at most once: its id names both entries. */
export const membershipLogId = (memberId: number, action: Action): number =>
  memberId * 2 + (action === 'added' ? 0 : 1);

export const membershipLogs = projection<MembershipLogDocument, MembershipPayloads>()({
  name: 'membership-logs',
  version: 3,
  indexes: { newestFirst: ['workspaceId', 'listId', 'occurredAt', 'listRevision', 'id'] },
  key: (event) => {
    const action = event.type === 'MembersAdded' ? 'added' : 'removed';
    const workspaceId = workspaceIdOf(event);
    return event.data.members.map(({ memberId }) =>
      workspaceScoped(workspaceId, membershipLogId(memberId, action)),
    );
  },
  on: {
    MembersAdded: (_none, event, key) => entry(key, event, 'added', event.data.addedAt),
    MembersRemoved: (_none, event, key) => entry(key, event, 'removed', event.data.removedAt),
  },
});

function entry(
  key: string,
  event: Recorded<MembershipData>,
  action: Action,
  occurredAt: string,
): MembershipLogDocument | null {
  const workspaceId = workspaceIdOf(event);
  const { listId, source, members } = event.data;
  for (const { memberId, handle, networkUrl, domains, name } of members) {
    const id = membershipLogId(memberId, action);
    if (workspaceScoped(workspaceId, id) !== key) continue;
    return {
      id,
      workspaceId,
      listId,
      member_id: memberId,
      action,
      network_handle: handle,
      network_url: networkUrl,
      domain: domains[0] ?? null,
      name,
      source,
      occurredAt,
      listRevision: Number(event.revision),
    };
  }
  return null;
}
