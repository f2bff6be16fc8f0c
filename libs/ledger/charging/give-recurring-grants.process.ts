import type { Process } from '#process-engine/process.js';
import { processContext } from '#kernel/commands/process-context.js';
import { timedToDo } from '#process-engine/to-do.js';
import {
  recurringGrants,
  type RecurringGrantDocument,
} from '#projections/ledger/recurring-grants/recurring-grants.projection.js';
import { giveRecurring } from './give-recurring-grants.js';

/** Makes the recurring grants that are due (LOT-08). */
export const giveRecurringGrants: Process<RecurringGrantDocument> = {
  name: 'give-recurring-grants',
  lane: 'timers',
  atOnce: 6,
  toDo: timedToDo(recurringGrants, { dueAt: 'nextDue', thenBy: 'id' }),
  key: ({ workspaceId }) => `recurring:${workspaceId}`,
  waitsFor: [recurringGrants.name],

  async act(host, { workspaceId, ruleId }) {
    const work = `recurring:${workspaceId}:${ruleId}`;
    const more = await giveRecurring(host, workspaceId, ruleId, (step) =>
      processContext(giveRecurringGrants.name, workspaceId, work, step),
    );
    return more ? 'continues' : undefined;
  },
};
