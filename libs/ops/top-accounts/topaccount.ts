import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { personas, requirePersona } from '#domain/personas/personas.js';
import { TopAccountTier } from '#domain/top-accounts/top-accounts.events.js';
import {
  assignTopAccount,
  removeTopAccount,
  setTopAccountTier,
  topAccounts,
} from '#domain/top-accounts/top-accounts.js';
import { described, WorkspaceId } from '../support/inputs.js';
import { operatorCommand } from '../support/operator-command.js';

const account = { workspace_id: WorkspaceId, account_id: described('id of the top account', Id) };

export const topAccountAssign = operatorCommand({
  name: 'topaccount.assign',
  summary: 'Give a top account to one business unit, or with null to all of them',
  input: Type.Object({
    ...account,
    persona_id: described('id of the persona, or null for all of them', Nullable(Id)),
  }),
  output: Type.Object({ account_id: Id, persona_id: Nullable(Id) }),
  async run(host, { workspace_id, account_id, persona_id }, context) {
    const stream = String(workspace_id);
    const prepare = async () => {
      if (persona_id !== null)
        await host.commands.load(personas, stream, (state) => void requirePersona(state, persona_id));
      return assignTopAccount({ accountId: account_id, personaId: persona_id });
    };
    await host.commands.handle(topAccounts, stream, { prepare }, { context, answer: () => null });
    return { account_id, persona_id };
  },
});

export const topAccountRemove = operatorCommand({
  name: 'topaccount.remove',
  summary: 'Take a top account off the list of its workspace',
  input: Type.Object(account),
  output: Type.Object({ account_id: Id, removed: Type.Literal(true) }),
  async run(host, { workspace_id, account_id }, context) {
    const decision = removeTopAccount({ accountId: account_id, now: host.clock.now().toISOString() });
    await host.commands.handle(topAccounts, String(workspace_id), decision, { context, answer: () => null });
    return { account_id, removed: true };
  },
});

export const topAccountCrmTier = operatorCommand({
  name: 'topaccount.crm_tier',
  summary: 'Set the tier of a top account as a CRM has it, or take it away with null',
  input: Type.Object({
    ...account,
    tier: described('Tier 1, Tier 2, Tier 3, or null for none', Nullable(TopAccountTier)),
  }),
  output: Type.Object({ account_id: Id, tier: Nullable(TopAccountTier) }),
  async run(host, { workspace_id, account_id, tier }, context) {
    const decision = setTopAccountTier({ accountId: account_id, tier, source: 'crm' });
    await host.commands.handle(topAccounts, String(workspace_id), decision, { context, answer: () => null });
    return { account_id, tier };
  },
});
