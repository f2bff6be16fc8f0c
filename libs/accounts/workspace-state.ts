import type { Commands } from '#kernel/commands/commands.js';
import { workspace, type Workspace } from '#access/domain/workspaces/workspace.js';

type State = Pick<Workspace, 'blocked' | 'unblockedAt' | 'accountMapping' | 'trialQuota'>;

/** The state that work on accounts depends on, from the stream of the workspace: a read model may be late. */
export const workspaceState = (commands: Pick<Commands, 'load'>, workspaceId: number): Promise<State> =>
  commands.load(
    workspace,
    String(workspaceId),
    ({ blocked, unblockedAt, accountMapping, trialQuota }): State => ({
      blocked,
      unblockedAt,
      accountMapping,
      trialQuota,
    }),
  );
