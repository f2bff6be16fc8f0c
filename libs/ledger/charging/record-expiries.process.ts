import { recordExpiries } from '#ledger/history/record-expiries.js';
import {
  creditBalances,
  type CreditBalanceDocument,
} from '#projections/ledger/credit-balances/credit-balances.projection.js';
import type { Process } from '#process-engine/process.js';
import { processContext } from '#kernel/commands/process-context.js';
import { timedToDo } from '#process-engine/to-do.js';

/**
 * Records expiries soon after they happen (LOT-02), so that closing a month or reading a statement does not have to
 * wait for them.
 */
export const recordLotExpiries: Process<CreditBalanceDocument> = {
  name: 'record-lot-expiries',
  lane: 'timers',
  atOnce: 6,
  toDo: timedToDo(creditBalances, { dueAt: 'expiresNext', thenBy: 'workspaceId', isUnhurried: true }),
  key: ({ workspaceId }) => `expiries:${workspaceId}`,
  waitsFor: [creditBalances.name],

  act(host, { workspaceId, expiresNext }) {
    const work = `record-lot-expiries:${workspaceId}:${expiresNext}`;
    const context = processContext(recordLotExpiries.name, workspaceId, work);
    return recordExpiries(host.commands, workspaceId, context);
  },
};
