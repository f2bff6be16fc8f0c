import { Id, Type } from '#kernel/values/schema.js';
import { keyedCall } from '#keyed-requests/operator-claim.js';
import { CallKey, described, visibleText, WorkspaceId } from '#ops/support/inputs.js';
import { issueKeyedApiKey, requireUndelivered } from './keyed-api-key.js';
import { issueApiKey } from './new-api-key.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const apiKeyIssue = operatorCommand({
  name: 'apikey.issue',
  summary: 'Issue another API key for a workspace; the key is shown once',
  input: Type.Object({
    workspace_id: WorkspaceId,
    label: described('what the key is for', visibleText(100)),
    read_only: Type.Optional(
      described('the key can change and spend nothing: for dashboards and assistants', Type.Boolean()),
    ),
    issue_key: Type.Optional({
      ...CallKey,
      description:
        'key of this call: a repetition with the same key and input replaces an API key never used',
    }),
  }),
  output: Type.Object({ key_id: Id, api_key: Type.String() }),
  async run(host, input, context) {
    const { workspace_id: workspaceId, label, read_only: isReadOnly = false } = input;
    await host.requireWorkspace(workspaceId);
    const wanted = { workspaceId, label, isReadOnly };
    const call = keyedCall('apikey.issue', 'issue_key', input);
    if (call === null) return issueApiKey(host, wanted, context);
    await requireUndelivered(host, { call }, 'Issue another key with another issue_key.');
    return issueKeyedApiKey(host, { call }, wanted, context);
  },
});
