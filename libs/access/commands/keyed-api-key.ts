import { contextOfStep, type CommandContext } from '#kernel/commands/decider.js';
import { requireReached } from '#kernel/ports/progress.port.js';
import { refusal } from '#kernel/values/refusal.js';
import { hashApiKey } from '#kernel/values/api-key.js';
import { apiKey, apiKeyStreamId, revoke } from '#access/domain/api-keys/api-key.js';
import { claimId, idsOfEarlierCalls, type KeyedCall } from '#keyed-requests/operator-claim.js';
import { apiKeys } from '#projections/access/api-keys/api-keys.projection.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { issueApiKey, type NewApiKey } from './new-api-key.js';

const CATCH_UP_MS = 10_000;

const DELIVERED = 'The API key of the earlier call has been used, so its answer was received.';

const deliveredApiKey = refusal({ code: 'api-key-in-use', kind: 'conflicting', detail: DELIVERED });

/** The kind of the ids that calls record. */
const KIND = 'apiKey';

/** A key that a call with a key of its own issues. */
export type KeyedApiKey = {
  readonly call: KeyedCall;
  /** Ids that earlier calls did not record: a program before this one issued them. */
  readonly unrecordedIds?: readonly number[];
};

/** A working key is not revoked by a call that may be a mistake. `instead` says how another key is issued. */
export async function requireUndelivered(
  host: OperatorHost,
  { call, unrecordedIds = [] }: KeyedApiKey,
  instead: string,
): Promise<void> {
  const earlierIds = [...unrecordedIds, ...(await idsOfEarlierCalls(host, call, KIND))];
  const uses = await host.apiKeyUses.lastUses(earlierIds);
  if (uses.size > 0) throw deliveredApiKey({ detail: `${DELIVERED} ${instead}` });
}

/**
 * Issues a key in place of those that earlier calls issued, whose answers were lost. Of calls at the same time only the
 * key of the one that recorded its id last works: a later call may not have seen this key, which is then revoked here.
 */
export async function issueKeyedApiKey(
  host: OperatorHost,
  { call, unrecordedIds = [] }: KeyedApiKey,
  wanted: NewApiKey,
  context: CommandContext,
): Promise<{ readonly key_id: number; readonly api_key: string }> {
  const { workspaceId } = wanted;
  const keyId = await host.ids.next('apiKey');
  const replacedIds = [...unrecordedIds, ...(await claimId(host, call, context, KIND, keyId))];
  if (replacedIds.length > 0) await revokeUndelivered(host, workspaceId, replacedIds, context);
  const issued = await issueApiKey(host, { ...wanted, keyId }, context);
  const recordedIds = await idsOfEarlierCalls(host, call, KIND);
  if (recordedIds.at(-1) !== keyId) {
    const replaced = { id: keyId, hash: hashApiKey(issued.api_key) };
    await revokeKey(host, workspaceId, replaced, contextOfStep(context, 'replaced'));
  }
  return issued;
}

async function revokeUndelivered(
  host: OperatorHost,
  workspaceId: number,
  keyIds: readonly number[],
  context: CommandContext,
): Promise<void> {
  const types = ['ApiKeyIssued', 'ReadOnlyApiKeyIssued', 'ApiKeyRevoked'];
  const position = await host.eventStore.head();
  const written = { position, types, workspaceId };
  await requireReached(host.progress, written, CATCH_UP_MS, 'the read model of the API keys is behind');
  const issued = await host.readModels.getMany(apiKeys, keyIds.map(String));
  for (const key of issued.values()) if (!key.revoked) await revokeKey(host, workspaceId, key, context);
}

async function revokeKey(
  host: OperatorHost,
  workspaceId: number,
  { id, hash }: { readonly id: number; readonly hash: string },
  context: CommandContext,
): Promise<void> {
  await host.commands.handle(apiKey, apiKeyStreamId(hash), revoke(workspaceId), { context });
  host.apiKeyRevoked(id);
}
