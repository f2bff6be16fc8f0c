import { partOf, shown } from './answer.js';
import type { Visit } from './visits.js';

/** The name of a workspace. Throws the refusal of an unknown one. */
export async function workspaceName({ run }: Visit, workspaceId: number): Promise<string> {
  return shown(partOf(await run('workspace.show', { workspace_id: workspaceId })), 'name');
}
