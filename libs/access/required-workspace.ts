import type { Commands } from '#kernel/commands/commands.js';
import { requireWorkspace, workspace } from './domain/workspaces/workspace.js';

/** What operator commands call before they read about a workspace. Throws `unknownWorkspace`. */
export const requiredWorkspace =
  (commands: Pick<Commands, 'load'>) =>
  (workspaceId: number): Promise<void> =>
    commands.load(workspace, String(workspaceId), requireWorkspace);
