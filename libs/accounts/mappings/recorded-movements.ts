import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Commands } from '#kernel/commands/commands.js';
import { mapping } from '#accounts/domain/mappings/mapping.js';

/** The movements that paid for the recorded people of a mapping, of any request. A recorded result is never free. */
export async function recordedMovements(
  { commands }: { readonly commands: Pick<Commands, 'load'> },
  workspaceId: number,
  mappingId: number,
): Promise<ReadonlySet<number>> {
  const movementIds = await commands.load(mapping, workspaceScoped(workspaceId, mappingId), ({ profiles }) =>
    [...profiles.values()].map(({ movementId }) => movementId),
  );
  return new Set(movementIds.filter((movementId) => movementId !== null));
}
