import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { personas, requirePersona } from '#lists/domain/personas/personas.js';
import {
  assignTopAccount,
  removeTopAccount,
  topAccounts,
} from '#accounts/domain/top-accounts/top-accounts.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { oneTopAccount } from './top-account-inputs.js';

export const topAccountAssign = operatorCommand({
  name: 'topaccount.assign',
  summary: 'Assign a top account to one business unit; null assigns it to all',
  input: Type.Object({
    ...oneTopAccount,
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
    await host.commands.handle(topAccounts, stream, { prepare }, { context });
    return { account_id, persona_id };
  },
});

export const topAccountRemove = operatorCommand({
  name: 'topaccount.remove',
  summary: 'Remove a top account from the list of its workspace',
  input: Type.Object(oneTopAccount),
  output: Type.Object({ account_id: Id, removed: Type.Literal(true) }),
  async run(host, { workspace_id, account_id }, context) {
    const decision = removeTopAccount({ accountId: account_id, now: host.clock.now().toISOString() });
    await host.commands.handle(topAccounts, String(workspace_id), decision, { context });
    return { account_id, removed: true };
  },
});
