import { workspaceScoped } from '#kernel/commands/decider.js';
import { inPieces } from '#kernel/values/pieces.js';
import { monitoredAccount, wantBecauseOf } from '#domain/monitoring/monitored-account.js';
import { topAccounts } from '#domain/top-accounts/top-accounts.js';
import {
  pickedAccounts,
  type PickedAccountDocument,
} from '#projections/picked-accounts/picked-accounts.projection.js';
import { activePersonas } from './active-personas.js';
import { stepOf, type MonitoringHost, type MonitoringTask } from './monitoring-host.js';

const ACCOUNTS_AT_ONCE = 250;

/**
 * Makes what is wanted follow the picks of top accounts (OP-26): those of business units that are active, of accounts
 * that are on the list. Done again, or stopped in between and begun again, it comes to the same.
 */
export async function followPicks(host: MonitoringHost, task: MonitoringTask): Promise<void> {
  const { workspaceId } = task;
  const [active, picked, known] = await Promise.all([
    activePersonas(host.commands, workspaceId),
    host.commands.load(topAccounts, String(workspaceId), ({ accounts }) =>
      [...accounts].flatMap(([accountId, { companyId, pickedFor }]) =>
        pickedFor.length === 0 ? [] : [{ accountId, companyId, personaIds: pickedFor }],
      ),
    ),
    host.readModels.find<PickedAccountDocument>(pickedAccounts, { where: { workspaceId } }),
  ]);
  const wanted = new Map(picked.map((account) => [account.accountId, account]));
  const before = new Map(known.map((account) => [account.accountId, account]));
  const now = host.clock.now().toISOString();
  const changes = [...new Map([...before, ...wanted]).values()].flatMap(({ accountId, companyId }) => {
    const units = new Set((wanted.get(accountId)?.personaIds ?? []).filter((id) => active.includes(id)));
    const are = before.get(accountId)?.personaIds ?? [];
    const isSame = are.length === units.size && are.every((id) => units.has(id));
    return isSame ? [] : [{ accountId, companyId, units }];
  });
  const pieces = inPieces(changes, ACCOUNTS_AT_ONCE);
  for (const [index, piece] of pieces.entries()) {
    await Promise.all(
      piece.map(({ accountId, companyId, units }) =>
        host.commands.handle(
          monitoredAccount,
          workspaceScoped(workspaceId, companyId),
          wantBecauseOf({ kind: 'pick', accountId }, units, now),
          {
            context: stepOf(task, `pick:${accountId}`),
            answer: () => null,
            // The last of them were written after all others.
            waitForReadModels: index === pieces.length - 1,
          },
        ),
      ),
    );
  }
}
