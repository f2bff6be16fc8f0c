import { fieldError } from '#kernel/refusal.js';
import { Id, Type } from '#kernel/schema.js';
import { sealOfPeriod } from '#domain/credits/close-month.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { StatementAnswer } from '#domain/credits/ledger-answers.js';
import { readStatement } from '#domain/credits/statement.js';
import { invalidInput } from './amounts.js';
import { ledgerHead, ledgerHistory, MomentInput, readInstant, readMoment } from './ledger-history.js';
import { operatorCommand } from './operator-command.js';

export const ledgerStatement = operatorCommand({
  name: 'ledger.statement',
  summary: 'Opening, every change with running balance, totals and closing; from inclusive, to exclusive',
  input: Type.Object({
    workspace_id: Id,
    from: Type.Optional(Type.String()),
    to: Type.Optional(Type.String()),
    at: Type.Optional(MomentInput),
  }),
  output: StatementAnswer,
  async run(host, input, _context, onProgress) {
    const from = input.from === undefined ? null : readInstant(input.from, 'from');
    const to = input.to === undefined ? null : readInstant(input.to, 'to');
    if (from !== null && to !== null && from > to) {
      throw invalidInput({ errors: fieldError('from', 'must not be after to') });
    }
    const head = await ledgerHead(host, input.workspace_id);
    const asOf = readMoment(input.at, head, host.clock.now());
    const statement = await readStatement(input.workspace_id, ledgerHistory(host, head, onProgress), {
      from,
      to,
      asOf,
    });
    // As of a moment it is what it was then, closed or not.
    if (input.at !== undefined) return statement;
    const account = await host.commands.load(creditAccount, String(input.workspace_id));
    return { ...statement, seal: sealOfPeriod(account, from, to) };
  },
});
