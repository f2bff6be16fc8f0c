import type { CommandContext } from '#kernel/commands/decider.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { Id, Type } from '#kernel/values/schema.js';
import { claimId, idsOfEarlierCalls, keyedCall, type KeyedCall } from '#keyed-requests/operator-claim.js';
import { apiKeys } from '#projections/access/api-keys/api-keys.projection.js';
import { CallKey, described, visibleText, WorkspaceId } from '#ops/support/inputs.js';
import { issueApiKey } from './new-api-key.js';
import { operatorCommand, type OperatorHost } from '#ops/support/operator-command.js';
import { requireUnused, revokeUndelivered } from './undelivered-api-keys.js';

const CATCH_UP_MS = 10_000;

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
    const { workspace_id: workspaceId, label, read_only } = input;
    await host.requireWorkspace(workspaceId);
    const call = keyedCall('apikey.issue', 'issue_key', input);
    const keyId = call === null ? undefined : await replaceUndelivered(host, call, workspaceId, context);
    return issueApiKey(host, workspaceId, label, context, read_only, keyId);
  },
});

/** Revokes the keys that earlier calls issued, whose answers were lost. Returns the id of the key that replaces them. */
async function replaceUndelivered(
  host: OperatorHost,
  call: KeyedCall,
  workspaceId: number,
  context: CommandContext,
): Promise<number> {
  const earlierIds = await idsOfEarlierCalls(host, call, 'apiKey');
  await requireUnused(host, earlierIds, 'Issue another key with another issue_key.');
  const keyId = await host.ids.next('apiKey');
  const replacedIds = await claimId(host, call, context, 'apiKey', keyId);
  if (replacedIds.length === 0) return keyId;
  const types = ['ApiKeyIssued', 'ReadOnlyApiKeyIssued', 'ApiKeyRevoked'];
  const position = await host.eventStore.head();
  if (!(await host.progress.reached({ position, types, workspaceId }, CATCH_UP_MS)))
    throw new StoreUnavailable('the read model of the API keys is behind');
  const issued = await host.readModels.getMany(apiKeys, replacedIds.map(String));
  await revokeUndelivered(host, [...issued.values()], context);
  return keyId;
}
