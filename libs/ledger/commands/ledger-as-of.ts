import { Type } from '#kernel/values/schema.js';
import { asOfView, AsOfAnswer } from '#ledger/answers/as-of.answer.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { momentEnd } from '#ledger/history/ledger-history.js';
import { headForMoment } from './head-for-moment.js';
import { MomentInput } from './ledger-inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const ledgerAsOf = operatorCommand({
  name: 'ledger.as_of',
  forFinance: true,
  summary: 'Show balance, open holds and spending before a time or after a revision',
  input: Type.Object({ workspace_id: WorkspaceId, at: Type.Optional(MomentInput) }),
  output: AsOfAnswer,
  async run(host, { workspace_id: workspaceId, at }) {
    const { head, sums, moment } = await headForMoment(host, workspaceId, at);
    const end = await momentEnd(host, workspaceId, moment, head);
    return asOfView(end > head.revision ? sums : await host.ledgers.sumsBefore(workspaceId, end), moment);
  },
});
