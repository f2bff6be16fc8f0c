import { accountsIn } from '#signals/detection/watched.js';
import type { Audience } from '#signals/domain/launches/launch.events.js';
import type { Launchable } from '#signals/domain/launches/prepare-launch.js';
import { followedMembers } from './followed-members.js';
import type { LaunchHost, LaunchQuestion } from './launch-source.js';

const NO_TOP_ACCOUNTS =
  'The workspace has no top accounts: add some with a POST to /api/v2/top-account-list/accounts.';
const NOTHING_MONITORED =
  'No account is monitored: choose signal_buckets with a PUT to /api/v3/lists/{kind}/{list_id} or ' +
  '/api/v3/top-account-list/accounts/signal-buckets.';

/** What is missing if these audiences are empty, and the list that they refer to (OP-36). */
export async function targetsOf(
  host: LaunchHost,
  { workspaceId, now }: LaunchQuestion,
  audiences: readonly Audience[],
  { listId, coveredFor }: { readonly listId: number | null; readonly coveredFor: number | null },
): Promise<Pick<Launchable, 'scope' | 'missingTargets'>> {
  const list =
    listId === null || !audiences.includes('list_members')
      ? null
      : await followedMembers(host.commands, workspaceId, listId);
  return { scope: list?.scope ?? null, missingTargets: missingMembers() ?? (await missingAccounts()) };

  function missingMembers(): string | null {
    if (!audiences.includes('list_members') || (list !== null && list.count > 0)) return null;
    if (list === null) return 'It has no list: bind one to it.';
    return (
      `List ${listId} has no followed members: add members with a POST to /api/v2/lists/{kind}/${listId}/members, or set the ` +
      'tracking_status of its members to followed. An archived list has no followed members.'
    );
  }

  async function missingAccounts(): Promise<string | null> {
    if (!audiences.includes('covered_accounts')) {
      if (!audiences.includes('top_accounts')) return null;
      const isAny = (await host.topAccounts.count(workspaceId)) > 0;
      return isAny ? null : NO_TOP_ACCOUNTS;
    }
    const about = { audiences, coveredFor, now: now.toISOString(), workspaceId };
    const isAny = ((await accountsIn(host, about).accounts())?.length ?? 0) > 0;
    return isAny ? null : NOTHING_MONITORED;
  }
}
