import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { list, watchedBy } from '#lists/domain/lists/list.js';
import type { LaunchScope } from '#signals/domain/launches/launch.events.js';

/**
 * The members that a list follows at this moment, named by the revision of the list; none if the list is archived or
 * deleted (OP-48).
 */
export async function followedMembers(
  commands: Commands,
  workspaceId: number,
  listId: number,
): Promise<{ readonly count: number; readonly scope: LaunchScope }> {
  const { answer, revision } = await commands.look(
    list,
    workspaceScoped(workspaceId, listId),
    (state) => watchedBy(state).length,
  );
  return { count: answer, scope: { kind: 'list', listId, listRevision: String(revision) } };
}
