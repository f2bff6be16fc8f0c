import type { TestWorkspace } from './service.js';

/** Lists with their members, and the agents that watch them, over HTTP. */

const kindOf = (type: string): string =>
  ['competitor', 'partner', 'customer'].includes(type) ? 'company' : 'profile';

/** A list of this type with these members; returns its id. */
export async function listOf(
  workspace: TestWorkspace,
  type: string,
  handles: readonly string[],
): Promise<number> {
  const { body } = await workspace.call('POST /api/v2/lists', { type, name: type });
  await addTo(workspace, kindOf(type), body.data.id, handles);
  return body.data.id;
}

/** Adds members to a list of companies or of profiles. */
export async function addTo(
  workspace: TestWorkspace,
  kind: string,
  listId: number,
  handles: readonly string[],
): Promise<void> {
  if (handles.length === 0) return;
  const members = handles.map((network_handle) => ({ network_handle }));
  const { status, body } = await workspace.call(`POST /api/v2/lists/${kind}/${listId}/members`, { members });
  if (status !== 200 || body.errors.length > 0) throw new Error(`no members: ${JSON.stringify(body)}`);
}

/** An agent that watches a list of its type; returns its id. */
export async function watchingAgent(
  workspace: TestWorkspace,
  type: string,
  listId: number,
  parameters?: object,
): Promise<number> {
  const { status, body } = await workspace.call('POST /api/v2/agents', {
    type,
    watchlist_kind: kindOf(type),
    watchlist_id: listId,
    ...(parameters === undefined ? {} : { parameters }),
  });
  if (status !== 201) throw new Error(`no agent: ${JSON.stringify(body)}`);
  return body.data.id;
}
