import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { list, watchedBy } from '#lists/domain/lists/list.js';
import type { LaunchScope } from '#signals/domain/launches/launch.events.js';

/**
 * Whom a launch about a list looks at: those whom the list follows at this moment, none of one that is archived or
 * deleted (OP-48), named by its revision.
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
