import { contextOfStep, type CommandContext } from '#kernel/commands/decider.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import type { ProcessHost } from '#process-engine/process.js';
import { accountMonitoring, retryAtNewPrice } from './domain/account-monitoring.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { workspaceKey, workspaces } from '#projections/access/workspaces/workspaces.projection.js';

const WORKSPACES_AT_ONCE = 50;
const MONTH = 'bucket:essential';

/** A new price: for everybody, or negotiated by one partner. */
type NewPrice = {
  readonly item: string;
  /** null: the price was removed. */
  readonly credits: unknown;
  readonly partnerId: number | null;
};

/**
 * Retries uncovered units at once if a new monthly price applies to them (OP-27). The read models already have the
 * price. Workspaces missed because of an interruption are retried at the next hour.
 */
export async function tryNewPrice(
  host: Pick<ProcessHost, 'commands' | 'readModels' | 'clock'>,
  { item, credits, partnerId }: NewPrice,
  context: CommandContext,
): Promise<void> {
  if (item !== MONTH || credits === null) return;
  const without = await host.readModels.groups(
    monitoredUnits,
    { where: { status: 'not_covered' } },
    { by: ['workspaceId'] },
  );
  await sideBySide(without, WORKSPACES_AT_ONCE, async ({ by }) => {
    const workspaceId = Number(by[0]);
    if (partnerId !== null && (await partnerOf(host.readModels, workspaceId)) !== partnerId) return;
    await host.commands.handle(
      accountMonitoring,
      String(workspaceId),
      retryAtNewPrice(host.clock.now().toISOString()),
      { context: contextOfStep(context, `retry:${workspaceId}`) },
    );
  });
}

/** The partner that pays for a workspace; null if the workspace pays. */
async function partnerOf(readModels: ReadModels, workspaceId: number): Promise<number | null> {
  const workspace = await readModels.get(workspaces, workspaceKey(workspaceId));
  return workspace?.billing === 'partner' ? workspace.partnerId : null;
}
