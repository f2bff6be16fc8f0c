import { Id, Nullable, OneOf, Type } from '#kernel/values/schema.js';
import { decideCredits } from '#ledger/charging/decide-credits.js';
import { billingOf } from '#ledger/domain/credit-account.js';
import { BalanceAnswer, balanceOf } from '#ledger/answers/balance.answer.js';
import { changeBillingMode } from '#ledger/domain/post-credits.js';
import { described, PartnerId, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { readBilling } from './read-billing.js';

export const workspaceBilling = operatorCommand({
  name: 'workspace.billing',
  summary: 'Change who pays for new work; open holds keep their payer',
  input: Type.Object({
    workspace_id: WorkspaceId,
    billing: described('who pays for new work', OneOf('self', 'partner', 'exempt')),
    partner_id: Type.Optional(PartnerId),
  }),
  output: Type.Object({
    workspace_id: Id,
    billing: OneOf('self', 'partner', 'exempt'),
    partner_id: Nullable(Id),
    balance: BalanceAnswer,
  }),
  async run(host, { workspace_id: workspaceId, ...input }, context) {
    const wanted = await readBilling(host, input);
    return decideCredits(host, workspaceId, changeBillingMode(wanted), context, (account) => {
      const billing = billingOf(account);
      const partnerId = billing.mode === 'partner' ? billing.partnerId : null;
      const balance = balanceOf(account.books);
      return { workspace_id: workspaceId, billing: billing.mode, partner_id: partnerId, balance };
    });
  },
});
