import { Type } from '#kernel/values/schema.js';
import { sealOfPeriod } from '#domain/credits/close-month.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { sealView, StatementAnswer, statementView } from '#ledger/answers/statement.answer.js';
import { readStatement } from '#ledger/statement.js';
import { described, WorkspaceId } from '../support/inputs.js';
import { ledgerHead, ledgerPeriod } from '#ledger/ledger-history.js';
import { MomentInput, readMoment, readPeriod } from './ledger-inputs.js';
import { operatorCommand } from '../support/operator-command.js';

export const ledgerStatement = operatorCommand({
  name: 'ledger.statement',
  summary: 'Opening, every change with running balance, totals and closing; from inclusive, to exclusive',
  input: Type.Object({
    workspace_id: WorkspaceId,
    from: Type.Optional(described('date or timestamp, inclusive', Type.String())),
    to: Type.Optional(described('date or timestamp, exclusive', Type.String())),
    at: Type.Optional(MomentInput),
  }),
  output: StatementAnswer,
  async run(host, input, _context, onProgress) {
    const { from, to } = readPeriod(input);
    const { workspace_id: workspaceId } = input;
    const head = await ledgerHead(host, workspaceId);
    const asOf = readMoment(input.at, head, host.clock.now());
    const { history, sums } = await ledgerPeriod(host, head, { workspaceId, from, asOf }, onProgress);
    const statement = statementView(await readStatement(workspaceId, history, { from, to, asOf }, sums));
    // As of a moment it is what it was then, closed or not.
    if (input.at !== undefined) return statement;
    const seal = await host.commands.load(creditAccount, String(workspaceId), (account) =>
      sealOfPeriod(account, from, to),
    );
    return { ...statement, seal: seal === undefined ? undefined : sealView(seal) };
  },
});
