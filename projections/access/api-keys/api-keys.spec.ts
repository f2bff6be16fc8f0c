import { foldAll } from '#kernel/testing/project.js';
import { apiKeys } from './api-keys.projection.js';

const issued = {
  type: 'ApiKeyIssued',
  data: { keyId: 2, workspaceId: 1, hash: 'ab'.repeat(32), prefix: 'wsk_test_ab', label: 'first' },
};

describe('the API keys read model', () => {
  it('shows a key by what a person may recognise it by, and its hash', () => {
    expect([...foldAll(apiKeys, [issued]).values()]).toEqual([
      {
        id: 2,
        workspaceId: 1,
        hash: 'ab'.repeat(32),
        prefix: 'wsk_test_ab',
        label: 'first',
        revoked: false,
        readOnly: false,
      },
    ]);
  });

  it('distinguishes a read-only key from others', () => {
    const reader = { ...issued, type: 'ReadOnlyApiKeyIssued' };
    expect(foldAll(apiKeys, [reader]).get('2')?.readOnly).toBe(true);
  });

  it('keeps a revoked key and says so', () => {
    const revoked = { type: 'ApiKeyRevoked', data: { keyId: 2, workspaceId: 1 } };
    expect(foldAll(apiKeys, [issued, revoked]).get('2')?.revoked).toBe(true);
  });
});
