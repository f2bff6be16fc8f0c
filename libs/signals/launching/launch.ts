import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { unknownAgent } from '#signals/domain/agents/agent.js';
import { available } from '#ledger/domain/books.js';
import { billingOf, creditAccount, insufficient } from '#ledger/domain/credit-account.js';
import type { RunLaunched } from '#signals/domain/launches/launch.events.js';
import { alreadyRunning } from '#signals/domain/launches/launches.js';
import { launchOf, requireLaunchable } from '#signals/domain/launches/prepare-launch.js';
import { workspace, workspaceBlocked } from '#access/domain/workspaces/workspace.js';
import type { LaunchHost, LaunchSource, SourceKey, Trigger } from './launch-source.js';
import { lookbackOf } from './lookback.js';

export type LaunchRequest = SourceKey & {
  readonly trigger: Trigger;
  /** In days; null: as far as such a launch looks back by itself (D-04). */
  readonly lookbackDays: number | null;
};

/**
 * Everything that the runs of a launch need, fixed and with ids, ready to be decided on the stream of its source.
 * Refuses in the order of OP-36: workspace blocked, agent unknown, nothing that can be detected, nobody to look
 * at, no price, a run in progress, not enough money for one signal. `source`: null where the id is nobody's.
 */
export async function prepareLaunch(
  host: LaunchHost,
  source: LaunchSource | null,
  request: LaunchRequest,
  context: CommandContext,
): Promise<RunLaunched> {
  const { workspaceId, trigger } = request;
  if (await host.commands.load(workspace, String(workspaceId), ({ blocked }) => blocked))
    throw workspaceBlocked();
  const now = host.clock.now();
  const launching = (await source?.load(host, { ...request, now, context })) ?? null;
  if (launching === null) throw unknownAgent();
  const { launchable, launches, monitoredSince } = launching;
  const ready = requireLaunchable(launchable);
  if (launches.running.length > 0) throw alreadyRunning();
  await requireMoneyForOne(host.commands, workspaceId, ready.charge.credits);
  return launchOf(ready, {
    launchId: await host.ids.next('launch'),
    runIds: await host.ids.nextMany('run', ready.directions.length),
    trigger,
    now: now.toISOString(),
    lookbackDays: request.lookbackDays ?? lookbackOf({ trigger, now, launches, monitoredSince }),
  });
}

/** A launch needs the price of one signal, not of all that it may find (SUP-20). */
async function requireMoneyForOne(commands: Commands, workspaceId: number, unitPrice: bigint): Promise<void> {
  if (unitPrice === 0n) return;
  await commands.load(creditAccount, String(workspaceId), (account) => {
    if (billingOf(account).mode !== 'self') return;
    if (available(account.books) < unitPrice) throw insufficient(account, unitPrice);
  });
}
