import { fieldError } from '#kernel/values/refusal.js';
import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { setFeatures, workspace } from '#access/domain/workspaces/workspace.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const workspaceFeatures = operatorCommand({
  name: 'workspace.features',
  summary: 'Switch account mapping on or off, or set the trial quota; null removes the quota',
  input: Type.Object({
    workspace_id: WorkspaceId,
    account_mapping: Type.Optional(described('whether the workspace may map accounts', Type.Boolean())),
    trial_quota: Type.Optional(
      described(
        'largest number of top accounts on trial; null: no limit',
        Nullable(Type.Integer({ minimum: 0 })),
      ),
    ),
  }),
  output: Type.Object({
    workspace_id: Id,
    account_mapping: Type.Boolean(),
    trial_quota: Nullable(Type.Integer()),
  }),
  async run(host, { workspace_id, account_mapping: accountMapping, trial_quota: trialQuota }, context) {
    if (accountMapping === undefined && trialQuota === undefined) {
      throw invalidInput({ errors: fieldError('account_mapping', 'or trial_quota is required') });
    }
    const decision = setFeatures({ accountMapping, trialQuota });
    const handled = await host.commands.handle(workspace, String(workspace_id), decision, {
      context,
      answer: (state) => ({ account_mapping: state.accountMapping, trial_quota: state.trialQuota }),
    });
    return { workspace_id, ...handled.answer };
  },
});
