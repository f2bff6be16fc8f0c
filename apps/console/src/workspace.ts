import { partOf, shown } from './answer.js';
import type { Visit } from './visits.js';

/** What a workspace is called. Throws the refusal for one that there is not. */
export async function workspaceName({ run }: Visit, workspaceId: number): Promise<string> {
  return shown(partOf(await run('workspace.show', { workspace_id: workspaceId })), 'name');
}
