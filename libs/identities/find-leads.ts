import type { Commands } from '#kernel/commands/commands.js';
import { leadIdentity } from './domain/leads/lead.js';
import { identityStream } from './identity-stream.js';
import { personIdentityOf } from './observed-facts.js';

/** The ids that a person has in the workspace: one, or two if the handle was unknown at first (SRC-08). */
export async function leadIdsOf(
  commands: Pick<Commands, 'load'>,
  workspaceId: number,
  { handle, ref }: Parameters<typeof personIdentityOf>[0],
): Promise<readonly number[]> {
  const names = [personIdentityOf({ handle, ref }), personIdentityOf({ handle: null, ref })];
  const found = await Promise.all([...new Set(names)].map((name) => findLead(commands, workspaceId, name)));
  return found.filter((leadId) => leadId !== null);
}

/** The id of the person of this identity; null for one that the workspace has no record of. */
export const findLead = (
  commands: Pick<Commands, 'load'>,
  workspaceId: number,
  identity: string,
): Promise<number | null> =>
  commands.load(leadIdentity, identityStream(workspaceId, identity), ({ leadId }) => leadId);
