import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { history, rulesOf } from '#kernel/testing/scenario.js';
import { apiKeyDirectory } from './api-key-directory.js';
import { apiKey, apiKeyStreamId, issue, revoke, unknownApiKey } from './domain/api-keys/api-key.js';

const HASH = 'ab'.repeat(32);
/** The hash of a key that shares the stream, because it begins like the other one. */
const ALIKE = `${HASH.slice(0, 32)}${'00'.repeat(16)}`;
const data = { keyId: 7, workspaceId: 3, hash: HASH, prefix: 'wsk_live_abc', label: 'batch' };
const issued = { type: 'ApiKeyIssued', data } as const;
const revoked = { type: 'ApiKeyRevoked', data: { keyId: 7, workspaceId: 3 } } as const;

/** A directory over a store with these events of one key. */
const directoryOf = (kept: readonly StoredEvent[]) =>
  apiKeyDirectory({
    async *readStream(stream) {
      if (stream === `apiKey-${apiKeyStreamId(HASH)}`) yield kept;
    },
  });

describe('the directory of API keys', () => {
  it('finds the workspace of a key, and whether it only reads', async () => {
    expect(await directoryOf(history(apiKey, [issued])).find(HASH)).toEqual({
      workspaceId: 3,
      keyId: 7,
      isReadOnly: false,
    });
    const reading = { type: 'ReadOnlyApiKeyIssued', data } as const;
    expect(await directoryOf(history(apiKey, [reading])).find(HASH)).toEqual({
      workspaceId: 3,
      keyId: 7,
      isReadOnly: true,
    });
  });

  it('finds no key that is unknown, revoked, or only begins like a known one', async () => {
    expect(await directoryOf(history(apiKey, [issued])).find('cd'.repeat(32))).toBeNull();
    expect(await directoryOf(history(apiKey, [issued, revoked])).find(HASH)).toBeNull();
    expect(await directoryOf(history(apiKey, [issued])).find(ALIKE)).toBeNull();
  });
});

describe('an API key', () => {
  const deciding = rulesOf(apiKey);

  it('is issued once, and is never active again after it was revoked', () => {
    deciding([], issue(data)).then([issued]);
    deciding([issued], issue(data)).then([]);
    deciding([issued, revoked], issue({ ...data, keyId: 8 })).then([]);
  });

  it('is revoked by its own workspace alone, and once', () => {
    deciding([issued], revoke(3)).then([revoked]);
    deciding([issued, revoked], revoke(3)).then([]);
    deciding([issued], revoke(4)).then(unknownApiKey());
    deciding([], revoke(3)).then(unknownApiKey());
  });
});
