import { accountsIn } from '#signals/detection/watched.js';
import type { Audience } from '#signals/domain/launches/launch.events.js';
import type { Launchable } from '#signals/domain/launches/prepare-launch.js';
import { topAccounts } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { followedMembers } from './followed-members.js';
import type { LaunchHost, LaunchQuestion } from './launch-source.js';

/** Whether there is anybody at whom these audiences look, and the list that they are about (OP-36). */
export async function targetsOf(
  host: LaunchHost,
  { workspaceId, now, context }: LaunchQuestion,
  audiences: readonly Audience[],
  { listId, coveredFor }: { readonly listId: number | null; readonly coveredFor: number | null },
): Promise<Pick<Launchable, 'scope' | 'hasTargets'>> {
  const list =
    listId === null || !audiences.includes('list_members')
      ? null
      : await followedMembers(host.commands, workspaceId, listId, context);
  const hasMembers = !audiences.includes('list_members') || (list !== null && list.count > 0);
  return { scope: list?.scope ?? null, hasTargets: hasMembers && (await hasAccounts()) };

  async function hasAccounts(): Promise<boolean> {
    if (!audiences.includes('covered_accounts')) {
      if (!audiences.includes('top_accounts')) return true;
      return (await host.readModels.count(topAccounts, { where: { workspaceId } })) > 0;
    }
    const about = { audiences, coveredFor, now: now.toISOString(), workspaceId };
    return ((await accountsIn(host, about).accounts())?.length ?? 0) > 0;
  }
}
