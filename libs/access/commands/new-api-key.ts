import { randomInt } from 'node:crypto';
import { hashApiKey } from '#kernel/values/api-key.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { apiKey, apiKeyStreamId, issue } from '#access/domain/api-keys/api-key.js';
import type { OperatorHost } from '#ops/support/operator-command.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const PREFIX_LENGTH = 12;

/** Makes a key and stores its hash; the key itself exists only in the answer. */
export async function issueApiKey(
  host: OperatorHost,
  workspaceId: number,
  label: string,
  context: CommandContext,
  isReadOnly = false,
): Promise<{ readonly key_id: number; readonly api_key: string }> {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
  const key = `wsk_live_${secret}`;
  const hash = hashApiKey(key);
  const keyId = await host.ids.next('apiKey');
  const input = { keyId, workspaceId, hash, prefix: key.slice(0, PREFIX_LENGTH), label };
  await host.commands.handle(apiKey, apiKeyStreamId(hash), issue(input, isReadOnly), {
    context,
    answer: () => null,
  });
  return { key_id: keyId, api_key: key };
}
