import { Type } from '#kernel/values/schema.js';
import { sealOfPeriod } from '#ledger/domain/close-month.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import {
  sealView,
  spendGroupView,
  StatementAnswer,
  statementView,
} from '#ledger/answers/statement.answer.js';
import { GROUPINGS, spendGroups } from '#ledger/history/spend-groups.js';
import { readStatement } from '#ledger/history/statement.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { headAfterExpiries } from '#ledger/history/record-expiries.js';
import { ledgerHead, ledgerPeriod } from '#ledger/history/ledger-history.js';
import { MomentInput, readMoment, readPeriod, WithInput } from './ledger-inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const ledgerStatement = operatorCommand({
  name: 'ledger.statement',
  forFinance: true,
  summary:
    'Show opening balance, every change with running balance, totals and closing balance; from inclusive, to exclusive',
  input: Type.Object({
    workspace_id: WorkspaceId,
    from: Type.Optional(described('date or timestamp, inclusive', Type.String())),
    to: Type.Optional(described('date or timestamp, exclusive', Type.String())),
    at: Type.Optional(MomentInput),
    with: Type.Optional(WithInput),
    group_by: Type.Optional(
      described(
        'adds totals by account, persona, month (separated by commas)',
        Type.String({ pattern: '^(account|persona|month)(,(account|persona|month)){0,2}$' }),
      ),
    ),
  }),
  output: StatementAnswer,
  async run(host, input, _context, onProgress) {
    const { from, to } = readPeriod(input);
    const { workspace_id: workspaceId } = input;
    const { head } = await headAfterExpiries(host, workspaceId, await ledgerHead(host, workspaceId));
    const asOf = readMoment(input.at, head, host.clock.now());
    const { history, sums } = await ledgerPeriod(host, head, { workspaceId, from, asOf }, onProgress);
    const range = { from, to, asOf, withActor: input.with === 'actor' };
    const read = await readStatement(workspaceId, history, range, sums);
    const by = GROUPINGS.filter((name) => input.group_by?.split(',').includes(name) === true);
    const groups = by.length === 0 ? {} : { groups: spendGroups(read.rows, by).map(spendGroupView) };
    const statement = { ...statementView(read), ...groups };
    // As of a moment it is what it was then, closed or not.
    if (input.at !== undefined) return statement;
    const seal = await host.commands.load(creditAccount, String(workspaceId), (account) =>
      sealOfPeriod(account, from, to),
    );
    return { ...statement, seal: seal === undefined ? undefined : sealView(seal) };
  },
});
