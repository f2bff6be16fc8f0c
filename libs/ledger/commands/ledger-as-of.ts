import { Type } from '#kernel/values/schema.js';
import { asOfView, AsOfAnswer } from '#ledger/answers/as-of.answer.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { headAfterExpiries } from '#ledger/history/record-expiries.js';
import { ledgerHead, momentEnd } from '#ledger/history/ledger-history.js';
import { MomentInput, readMoment } from './ledger-inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const ledgerAsOf = operatorCommand({
  name: 'ledger.as_of',
  forFinance: true,
  summary: 'Show balance, open holds and spending before a time or after a revision',
  input: Type.Object({ workspace_id: WorkspaceId, at: Type.Optional(MomentInput) }),
  output: AsOfAnswer,
  async run(host, { workspace_id: workspaceId, at }) {
    // Judged before expiries are recorded: a refused request changes nothing (INV-07).
    const last = await ledgerHead(host, workspaceId);
    const moment = readMoment(at, last, host.clock.now());
    const { head, sums } = await headAfterExpiries(host, workspaceId, last);
    const end = await momentEnd(host, workspaceId, moment, head);
    return asOfView(end > head.revision ? sums : await host.ledgers.sumsBefore(workspaceId, end), moment);
  },
});
