import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { TopAccountTier } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { setTopAccountTier, topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { oneTopAccount } from './top-account-inputs.js';

export const topAccountCrmTier = operatorCommand({
  name: 'topaccount.crm_tier',
  summary: 'Set the tier of a top account from a CRM; null removes it',
  input: Type.Object({
    ...oneTopAccount,
    tier: described('Tier 1, Tier 2, Tier 3, or null for none', Nullable(TopAccountTier)),
  }),
  output: Type.Object({ account_id: Id, tier: Nullable(TopAccountTier) }),
  async run(host, { workspace_id, account_id, tier }, context) {
    const decision = setTopAccountTier({ accountId: account_id, tier, source: 'crm' });
    await host.commands.handle(topAccounts, String(workspace_id), decision, { context });
    return { account_id, tier };
  },
});
