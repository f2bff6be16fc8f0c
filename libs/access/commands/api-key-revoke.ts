import { Id, Type } from '#kernel/values/schema.js';
import { apiKey, apiKeyStreamId, revoke, unknownApiKey } from '#access/domain/api-keys/api-key.js';
import { apiKeys } from '#projections/access/api-keys/api-keys.projection.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const apiKeyRevoke = operatorCommand({
  name: 'apikey.revoke',
  summary: 'Revoke an API key: in this process immediately, in other processes within seconds',
  input: Type.Object({ workspace_id: WorkspaceId, key_id: described('id of the key', Id) }),
  output: Type.Object({ key_id: Id, revoked: Type.Literal(true) }),
  async run(host, { workspace_id, key_id }, context) {
    const known = await host.readModels.get(apiKeys, String(key_id));
    if (known === null) throw unknownApiKey();
    await host.commands.handle(apiKey, apiKeyStreamId(known.hash), revoke(workspace_id), { context });
    host.apiKeyRevoked(key_id);
    return { key_id, revoked: true };
  },
});
