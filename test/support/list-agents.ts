import type { TestWorkspace } from './service.js';

/** Members of lists, and the agents that watch them, over HTTP. */

const kindOf = (type: string): string =>
  ['competitor', 'partner', 'customer'].includes(type) ? 'company' : 'profile';

/** Adds members (handles, or member objects) to a list of companies or of profiles; returns the added rows. */
export async function addTo(
  workspace: Pick<TestWorkspace, 'call'>,
  kind: string,
  listId: number,
  added: readonly (string | object)[],
): Promise<readonly { readonly id: number }[]> {
  if (added.length === 0) return [];
  const members = added.map((member) => (typeof member === 'string' ? { network_handle: member } : member));
  const { status, body } = await workspace.call(`POST /api/v2/lists/${kind}/${listId}/members`, { members });
  if (status !== 200 || body.errors.length > 0) throw new Error(`no members: ${JSON.stringify(body)}`);
  return body.data;
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
