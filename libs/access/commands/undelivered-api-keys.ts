import type { CommandContext } from '#kernel/commands/decider.js';
import { refusal } from '#kernel/values/refusal.js';
import { apiKey, apiKeyStreamId, revoke } from '#access/domain/api-keys/api-key.js';
import type { ApiKeyDocument } from '#projections/access/api-keys/api-keys.projection.js';
import type { OperatorHost } from '#ops/support/operator-command.js';

const DELIVERED = 'The API key of the earlier call has been used, so its answer was received.';

const deliveredApiKey = refusal({ code: 'api-key-in-use', kind: 'conflicting', detail: DELIVERED });

/** A working key is not revoked by a call that may be a mistake. `instead` says how another key is issued. */
export async function requireUnused(
  host: OperatorHost,
  keyIds: readonly number[],
  instead: string,
): Promise<void> {
  const uses = await host.apiKeyUses.lastUses(keyIds);
  if (uses.size > 0) throw deliveredApiKey({ detail: `${DELIVERED} ${instead}` });
}

/** A key whose answer was lost is useless: the repetition of the call replaces it. */
export async function revokeUndelivered(
  host: OperatorHost,
  keys: readonly ApiKeyDocument[],
  context: CommandContext,
): Promise<void> {
  for (const { id, workspaceId, hash, revoked } of keys) {
    if (revoked) continue;
    await host.commands.handle(apiKey, apiKeyStreamId(hash), revoke(workspaceId), { context });
    host.apiKeyRevoked(id);
  }
}
