import { eachPage } from '#kernel/projections/each-page.js';
import { inPieces } from '#kernel/values/pieces.js';
import type { Beginning } from './domain/account-monitoring.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import {
  pickedAccountKey,
  pickedAccounts,
} from '#projections/monitoring/picked-accounts/picked-accounts.projection.js';
import { businessUnitsOf } from './business-units.js';
import { beginTogether, openBeginnings } from './begin-together.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';
import { isSameRequest, type RequestChange } from './write-requests.js';

const ACCOUNTS_AT_ONCE = 250;

/**
 * Makes the requests follow the picks of these top accounts (OP-26): picks of active business units, of accounts on
 * the list. Idempotent, also after an interruption. `late`: the read models have not applied all of it in time.
 * `joined`: beginnings that contain only these accounts.
 */
export async function followPicks(
  host: MonitoringHost,
  task: MonitoringTask,
  accountIds: readonly number[],
  joined: readonly Beginning[] = [],
): Promise<'shown' | 'late'> {
  const { workspaceId } = task;
  const active = await businessUnitsOf(host.commands, workspaceId);
  const changes: RequestChange[] = [];
  for (const piece of inPieces(accountIds, ACCOUNTS_AT_ONCE)) {
    changes.push(...(await changesOf(host, workspaceId, active, piece)));
  }
  return beginTogether(host, task, { cause: null, joined }, changes);
}

/** The same for all top accounts that are picked, or still requested because of an earlier pick. */
export async function followAllPicks(
  host: MonitoringHost,
  task: MonitoringTask,
  signal: AbortSignal,
): Promise<void> {
  const { workspaceId } = task;
  // Before the picks are read, so that the picks include every request of these beginnings.
  const joined = await openBeginnings(host, workspaceId, null);
  const picked = await host.commands.load(topAccounts, String(workspaceId), ({ accounts }) =>
    [...accounts].flatMap(([accountId, { pickedFor }]) => (pickedFor.length === 0 ? [] : [accountId])),
  );
  await followPicks(host, task, picked, joined);
  const isPicked = new Set(picked);
  const pages = eachPage(host.readModels, pickedAccounts, {
    where: { workspaceId },
    sort: [['accountId', 'asc']],
    limit: ACCOUNTS_AT_ONCE,
    signal,
  });
  for await (const known of pages) {
    const others = known.filter(
      ({ accountId, personaIds }) => personaIds.length > 0 && !isPicked.has(accountId),
    );
    await followPicks(
      host,
      task,
      others.map(({ accountId }) => accountId),
    );
  }
}

async function changesOf(
  host: MonitoringHost,
  workspaceId: number,
  active: readonly number[],
  accountIds: readonly number[],
): Promise<readonly RequestChange[]> {
  const keyOf = (accountId: number): string => pickedAccountKey(workspaceId, accountId);
  const [picked, known] = await Promise.all([
    host.commands.load(topAccounts, String(workspaceId), ({ accounts }) =>
      accountIds.flatMap((accountId) => {
        const account = accounts.get(accountId);
        if (account === undefined || account.pickedFor.length === 0) return [];
        return [{ accountId, companyId: account.companyId, personaIds: account.pickedFor }];
      }),
    ),
    host.readModels.getMany(pickedAccounts, accountIds.map(keyOf)),
  ]);
  const wanted = new Map(picked.map((account) => [account.accountId, account]));
  return accountIds.flatMap((accountId) => {
    const [account, shown] = [wanted.get(accountId), known.get(keyOf(accountId))];
    const companyId = account?.companyId ?? shown?.companyId;
    if (companyId === undefined) return [];
    const after = new Set((account?.personaIds ?? []).filter((id) => active.includes(id)));
    const source = { kind: 'pick', accountId } as const;
    const change: RequestChange = { source, companyId, before: shown?.personaIds ?? [], after };
    return isSameRequest(change) ? [] : [change];
  });
}
