import { Id } from '#kernel/values/schema.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';

/** Names a top account of a workspace. */
export const oneTopAccount = {
  workspace_id: WorkspaceId,
  account_id: described('id of the top account', Id),
};
