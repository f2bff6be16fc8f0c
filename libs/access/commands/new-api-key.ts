import { hashApiKey } from '#kernel/values/api-key.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { apiKey, apiKeyStreamId, issue } from '#access/domain/api-keys/api-key.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { newSecret } from './new-secret.js';

const PREFIX_LENGTH = 12;

/** A key to issue; `keyId` is the next one when absent. */
export type NewApiKey = {
  readonly workspaceId: number;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly keyId?: number;
};

/** Makes a key and stores its hash; the key itself exists only in the answer. */
export async function issueApiKey(
  host: OperatorHost,
  { workspaceId, label, isReadOnly, keyId }: NewApiKey,
  context: CommandContext,
): Promise<{ readonly key_id: number; readonly api_key: string }> {
  const key = `wsk_live_${newSecret()}`;
  const hash = hashApiKey(key);
  const id = keyId ?? (await host.ids.next('apiKey'));
  const input = { keyId: id, workspaceId, hash, prefix: key.slice(0, PREFIX_LENGTH), label };
  await host.commands.handle(apiKey, apiKeyStreamId(hash), issue(input, isReadOnly), { context });
  return { key_id: id, api_key: key };
}
