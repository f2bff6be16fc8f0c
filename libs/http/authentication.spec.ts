import { hashApiKey } from '#kernel/values/api-key.js';
import { apiKeyAuthentication } from './authentication.js';

const keyOf = (number: number) => `wsk_test_${String(number).padStart(43, '0')}`;

function fixture(cacheTtlMs: number) {
  const asked: string[] = [];
  const clock = { nowMs: 0 };
  const directory = {
    find: async (keyHash: string) => {
      asked.push(keyHash);
      return keyHash === hashApiKey(keyOf(0)) ? null : { workspaceId: 1, keyId: asked.length };
    },
  };
  const authentication = apiKeyAuthentication(directory, cacheTtlMs, () => clock.nowMs);
  const authenticate = async (number: number) => authentication.authenticate(`Bearer ${keyOf(number)}`);
  return { asked, clock, authentication, authenticate };
}

describe('the cache of API keys', () => {
  it('OP-02 keeps a valid key for the cache time and not longer', async () => {
    const { asked, clock, authenticate } = fixture(5_000);
    await authenticate(1);
    clock.nowMs = 4_999;
    await authenticate(1);
    expect(asked).toEqual([hashApiKey(keyOf(1))]);
    clock.nowMs = 5_000;
    await authenticate(1);
    expect(asked).toHaveLength(2);
  });

  it('keeps no unknown key, and no key at all with a cache time of 0', async () => {
    const unknown = fixture(5_000);
    expect(await unknown.authenticate(0)).toBeNull();
    await unknown.authenticate(0);
    expect(unknown.asked).toHaveLength(2);
    const off = fixture(0);
    await off.authenticate(1);
    await off.authenticate(1);
    expect(off.asked).toHaveLength(2);
  });

  it('forgets the oldest of more than 10,000 keys', async () => {
    const { asked, authenticate } = fixture(5_000);
    for (let number = 1; number <= 10_001; number += 1) await authenticate(number);
    await authenticate(10_001);
    await authenticate(2);
    expect(asked).toHaveLength(10_001);
    await authenticate(1);
    expect(asked).toHaveLength(10_002);
  });

  it('OP-02 does not keep a key that is revoked during its look-up', async () => {
    const { asked, authentication, authenticate } = fixture(5_000);
    const pending = authenticate(1);
    // The look-up gives the first key the id 1.
    authentication.forget(1);
    await pending;
    await authenticate(1);
    expect(asked).toHaveLength(2);
  });
});
