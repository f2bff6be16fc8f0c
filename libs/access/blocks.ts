import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { ProcessHost } from '#process-engine/process.js';
import { workspaceKey, workspaces } from '#projections/access/workspaces/workspaces.projection.js';

/** Whether workspaces are blocked, as the read model `workspaces` has it. */
export const blocksIn =
  (readModels: ReadModels): ProcessHost['blockOf'] =>
  (workspaceId) =>
    readModels.get(workspaces, workspaceKey(workspaceId));
