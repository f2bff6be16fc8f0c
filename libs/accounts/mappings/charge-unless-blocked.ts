import type { Commands } from '#kernel/commands/commands.js';
import { workspaceState } from '#accounts/workspace-state.js';
import { ChargesMoved, loadChargesMark, type PaidWork } from '#ledger/charging/charges.js';

/**
 * Charges for a piece of work; if its workspace is blocked nothing is charged (MON-63). `charge` is called again if
 * the ledger has changed meanwhile.
 */
export async function chargeUnlessBlocked<Charged>(
  { commands }: { readonly commands: Pick<Commands, 'load'> },
  work: PaidWork,
  charge: (work: PaidWork) => Promise<Charged>,
): Promise<Charged | 'blocked'> {
  for (;;) {
    // Before anything is read that a block could change.
    const mark = await loadChargesMark(commands, work.workspaceId);
    if ((await workspaceState(commands, work.workspaceId)).blocked) return 'blocked';
    try {
      return await charge({ ...work, mark });
    } catch (error) {
      if (!(error instanceof ChargesMoved)) throw error;
    }
  }
}
