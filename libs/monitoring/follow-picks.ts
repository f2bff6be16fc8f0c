import { workspaceScoped } from '#kernel/commands/decider.js';
import { inPieces } from '#kernel/values/pieces.js';
import { monitoredAccount, wantBecauseOf } from '#domain/monitoring/monitored-account.js';
import { topAccounts } from '#domain/top-accounts/top-accounts.js';
import {
  pickedAccountKey,
  pickedAccounts,
  type PickedAccountDocument,
} from '#projections/picked-accounts/picked-accounts.projection.js';
import { activePersonas } from './active-personas.js';
import { stepOf, type MonitoringHost, type MonitoringTask } from './monitoring-host.js';

const ACCOUNTS_AT_ONCE = 250;

/**
 * Makes what is wanted follow the picks of these top accounts (OP-26): those of business units that are active, of
 * accounts that are on the list. Done again, or stopped in between and begun again, it comes to the same.
 */
export async function followPicks(
  host: MonitoringHost,
  task: MonitoringTask,
  accountIds: readonly number[],
): Promise<void> {
  const active = await activePersonas(host.commands, task.workspaceId);
  for (const piece of inPieces(accountIds, ACCOUNTS_AT_ONCE)) await followPiece(host, task, active, piece);
}

/** The same for all top accounts that are picked, or are still wanted because they once were. */
export async function followAllPicks(
  host: MonitoringHost,
  task: MonitoringTask,
  signal: AbortSignal,
): Promise<void> {
  const { workspaceId } = task;
  const picked = await host.commands.load(topAccounts, String(workspaceId), ({ accounts }) =>
    [...accounts].flatMap(([accountId, { pickedFor }]) => (pickedFor.length === 0 ? [] : [accountId])),
  );
  await followPicks(host, task, picked);
  const isPicked = new Set(picked);
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const known: readonly PickedAccountDocument[] = await host.readModels.find<PickedAccountDocument>(
      pickedAccounts,
      { where: { workspaceId }, sort: [['accountId', 'asc']], after: [after], limit: ACCOUNTS_AT_ONCE },
    );
    const others = known.filter(
      ({ accountId, personaIds }) => personaIds.length > 0 && !isPicked.has(accountId),
    );
    await followPicks(
      host,
      task,
      others.map(({ accountId }) => accountId),
    );
    const last = known.at(-1);
    if (last === undefined || known.length < ACCOUNTS_AT_ONCE) return;
    after = last.accountId;
  }
}

async function followPiece(
  host: MonitoringHost,
  task: MonitoringTask,
  active: readonly number[],
  accountIds: readonly number[],
): Promise<void> {
  const { workspaceId } = task;
  const keyOf = (accountId: number): string => pickedAccountKey(workspaceId, accountId);
  const [picked, known] = await Promise.all([
    host.commands.load(topAccounts, String(workspaceId), ({ accounts }) =>
      accountIds.flatMap((accountId) => {
        const account = accounts.get(accountId);
        if (account === undefined || account.pickedFor.length === 0) return [];
        return [{ accountId, companyId: account.companyId, personaIds: account.pickedFor }];
      }),
    ),
    host.readModels.getMany<PickedAccountDocument>(pickedAccounts, accountIds.map(keyOf)),
  ]);
  const wanted = new Map(picked.map((account) => [account.accountId, account]));
  const now = host.clock.now().toISOString();
  const changes = accountIds.flatMap((accountId) => {
    const [account, before] = [wanted.get(accountId), known.get(keyOf(accountId))];
    const companyId = account?.companyId ?? before?.companyId;
    if (companyId === undefined) return [];
    const units = new Set((account?.personaIds ?? []).filter((id) => active.includes(id)));
    const are = before?.personaIds ?? [];
    const isSame = are.length === units.size && are.every((id) => units.has(id));
    return isSame ? [] : [{ accountId, companyId, units }];
  });
  await Promise.all(
    changes.map(({ accountId, companyId, units }) =>
      host.commands.handle(
        monitoredAccount,
        workspaceScoped(workspaceId, companyId),
        wantBecauseOf({ kind: 'pick', accountId }, units, now),
        { context: stepOf(task, `pick:${accountId}`), answer: () => null },
      ),
    ),
  );
}
