import { Id, Type } from '#kernel/schema.js';
import { readAsOf } from '#domain/credits/as-of.js';
import { AsOfAnswer } from '#domain/credits/ledger-answers.js';
import { ledgerHead, ledgerHistory, MomentInput, readMoment } from './ledger-history.js';
import { operatorCommand } from './operator-command.js';

export const ledgerAsOf = operatorCommand({
  name: 'ledger.as_of',
  summary: 'Balance, open holds and spending as they stood before a time or after a revision',
  input: Type.Object({ workspace_id: Id, at: Type.Optional(MomentInput) }),
  output: AsOfAnswer,
  async run(host, input, _context, onProgress) {
    const head = await ledgerHead(host, input.workspace_id);
    return readAsOf(ledgerHistory(host, head, onProgress), readMoment(input.at, head, host.clock.now()));
  },
});
