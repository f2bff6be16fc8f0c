import { contextOfStep } from '#kernel/commands/decider.js';
import { Id, Type } from '#kernel/values/schema.js';
import { giveRecurring } from '#ledger/charging/give-recurring-grants.js';
import { decideCredits } from '#ledger/charging/decide-credits.js';
import { GrantFellDue, stopRecurring } from '#ledger/domain/recurring-grants.js';
import { described, Reason, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const creditsRecurringStop = operatorCommand({
  name: 'credits.recurring.stop',
  summary: 'End a recurring grant: lots that are due now are granted first, granted lots stay',
  input: Type.Object({
    workspace_id: WorkspaceId,
    rule_id: described('number of the recurring grant in its workspace', Id),
    reason: Type.Optional(described('why', Reason)),
  }),
  output: Type.Object({ rule_id: Id, replayed: Type.Boolean() }),
  async run(host, { workspace_id: workspaceId, rule_id: ruleId, reason }, context) {
    let step = 0;
    const ofGrants = () => contextOfStep(context, (step += 1));
    for (;;) {
      while (await giveRecurring(host, workspaceId, ruleId, ofGrants));
      try {
        const decision = stopRecurring(ruleId, reason);
        return await decideCredits(host, workspaceId, decision, context, (_account, events) => ({
          rule_id: ruleId,
          replayed: events.length === 0,
        }));
      } catch (error) {
        if (!(error instanceof GrantFellDue)) throw error;
      }
    }
  },
});
