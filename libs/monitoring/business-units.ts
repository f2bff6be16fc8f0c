import type { Commands } from '#kernel/commands/commands.js';
import { personas } from '#lists/domain/personas/personas.js';

/** The business units of a workspace: its personas that are not archived, by id. */
export function businessUnitsOf(
  commands: Pick<Commands, 'load'>,
  workspaceId: number,
): Promise<readonly number[]> {
  return commands.load(personas, String(workspaceId), ({ byId }) =>
    [...byId.values()]
      .filter(({ archived }) => !archived)
      .map(({ personaId }) => personaId)
      .sort((left, right) => left - right),
  );
}
