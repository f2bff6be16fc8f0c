import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { list, watchedBy } from '#domain/lists/list.js';
import type { Watched } from '#domain/signal-launches/prepare-launch.js';

/** Whom a launch about a list looks at: those whom the list watches at this moment, named by its revision. */
export async function watchedMembers(
  commands: Commands,
  workspaceId: number,
  listId: number,
  context: CommandContext,
): Promise<Watched> {
  // A decision that decides nothing: it reads the list up to its end and says where that is.
  const { answer, revision } = await commands.handle(list, workspaceScoped(workspaceId, listId), () => [], {
    context,
    answer: (state) => watchedBy(state).length,
    waitForReadModels: false,
  });
  return { kind: 'members', count: answer, scope: { kind: 'list', listId, listRevision: String(revision) } };
}
