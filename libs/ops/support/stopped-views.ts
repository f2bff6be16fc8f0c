import { servedReadModels } from '#projection-engine/parked-guard.js';
import type { OperatorHost } from './operator-command.js';

/**
 * The host for a command about a workspace. `onStopped` is called with the name of each read model that the command
 * reads and that is stopped for the workspace: it does not show the newest entries.
 */
export const notingStopped = (
  host: OperatorHost,
  workspaceId: number,
  onStopped: (name: string) => void,
): OperatorHost => ({
  ...host,
  readModels: servedReadModels(host.readModels, async ({ name }) => {
    if (await host.projections.isParked(name, workspaceId)) onStopped(name);
  }),
});
