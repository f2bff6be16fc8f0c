import { Id, Type } from '#kernel/values/schema.js';
import { described, visibleText, WorkspaceId } from '#ops/support/inputs.js';
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
  }),
  output: Type.Object({ key_id: Id, api_key: Type.String() }),
  async run(host, { workspace_id, label, read_only }, context) {
    await host.requireWorkspace(workspace_id);
    return issueApiKey(host, workspace_id, label, context, read_only);
  },
});
