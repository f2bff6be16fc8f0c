import { contextOfStep } from '#kernel/commands/decider.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { Stop } from '#kernel/commands/stop-fence.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { areChargesStopped } from '#ledger/charging/stopped-charges.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { stopCharges } from '#ledger/domain/stop-charges.js';

/** Records in the ledger that the charged work of a stream has ended, unless it is recorded already. */
export async function endCharges(
  path: Commands,
  events: EventStore,
  { stream, workspaceId, context, foundAt }: Stop,
): Promise<void> {
  if (foundAt !== null && (await areChargesStopped(path, events, workspaceId, foundAt))) return;
  await path.handle(creditAccount, String(workspaceId), stopCharges(stream), {
    context: contextOfStep(context, `stop:${stream}`),
    waitForReadModels: false,
  });
}
