import type { Commands } from '#kernel/commands/commands.js';
import {
  workspaceScoped,
  type CommandContext,
  type TimedDecision,
  type Prepared,
} from '#kernel/commands/decider.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { listEvents, ListKind } from '#lists/domain/lists/list.events.js';
import { list, requireKind } from '#lists/domain/lists/list.js';
import type { List } from '#lists/domain/lists/list-state.js';
import { requireMember } from '#lists/domain/lists/list-members.js';
import {
  addedMember,
  listMemberKey,
  listMembers,
  type ListMemberDocument,
} from '#projections/lists/list-members/list-members.projection.js';
import { listKey, lists } from '#projections/lists/lists/lists.projection.js';
import { decidedListView, type ListAnswer } from './list.view.js';

/** The list named in a path, and the caller. */
export type AboutList = {
  readonly workspaceId: number;
  readonly kind: ListKind;
  readonly listId: number;
  readonly context: CommandContext;
};

type ListDecision = TimedDecision<List, typeof listEvents>;
type PreparedList = Prepared<List, typeof listEvents>;

/** The decision about a list of this kind; a list of another kind is not found. */
export const ofKind =
  (kind: ListKind, decision: ListDecision): ListDecision =>
  (state, at) =>
    decision(requireKind(state, kind), at);

/** As above, for a decision that must be prepared first. */
const ofKindOnceReady = (kind: ListKind, decision: ListDecision | PreparedList) =>
  typeof decision === 'function'
    ? ofKind(kind, decision)
    : { prepare: async () => ofKind(kind, await decision.prepare()) };

type Handler = { readonly commands: Commands; readonly readModels: ReadModels };

/** Decides about a list and returns its new state. */
export async function decideList(
  { commands, readModels }: Handler,
  { workspaceId, kind, listId, context }: AboutList,
  decision: ListDecision | PreparedList,
): Promise<ListAnswer> {
  const stream = workspaceScoped(workspaceId, listId);
  const handled = await commands.handle(list, stream, ofKindOnceReady(kind, decision), {
    context,
    answer: decidedListView,
  });
  const counted = await readModels.get(lists, listKey(workspaceId, listId));
  return { ...handled.answer, bound_agent_count: counted?.bound_agent_count ?? 0 };
}

/** Decides about one member of a list and returns its new state. */
export async function decideMember(
  { commands, readModels }: Handler,
  { workspaceId, kind, listId, context, memberId }: AboutList & { readonly memberId: number },
  decision: ListDecision | PreparedList,
): Promise<ListMemberDocument> {
  const { answer: decided } = await commands.handle(
    list,
    workspaceScoped(workspaceId, listId),
    ofKindOnceReady(kind, decision),
    { context, answer: (state) => requireMember(state, memberId) },
  );
  const key = listMemberKey(workspaceId, memberId);
  const known = await readModels.get(listMembers, key);
  const { trackingStatus, signalBucket, baselineCompany, ...identity } = decided;
  const shown =
    known ??
    addedMember(workspaceId, listId, kind, {
      ...identity,
      logoUrl: null,
      ...(baselineCompany === null ? {} : { baselineCompany }),
    });
  return { ...shown, tracking_status: trackingStatus, signal_bucket: signalBucket };
}
