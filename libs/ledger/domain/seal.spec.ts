import { sealEntry } from './seal.js';

const entry = {
  type: 'CreditsGranted',
  data: { movementId: 1, credits: '5000000', reason: 'contract', key: 'march' },
  metadata: {
    actorId: 'cli',
    actorKind: 'operator',
    recordedAt: '2026-01-01T00:00:00.000Z',
    schemaVersion: '1',
  },
  revision: 3n,
};

describe('the seal of a ledger entry', () => {
  it('is always the same for the same entry', () => {
    expect(sealEntry('', entry)).toBe('cb0bf0b9c04d604d52eb9d11889f0e1ee8e5c17812dad584942ed52d01ef0ec1');
  });

  it('does not depend on the order of members or on the seal stored with the entry', () => {
    const data = { reason: 'contract', key: 'march', credits: '5000000', movementId: 1 };
    const metadata = { ...entry.metadata, hash: 'whatever' };
    expect(sealEntry('', { ...entry, data, metadata })).toBe(sealEntry('', entry));
  });

  it('changes with every other stored member, and with the previous seal', () => {
    const changed = [
      sealEntry('before', entry),
      sealEntry('', { ...entry, type: 'CreditsWithdrawn' }),
      sealEntry('', { ...entry, revision: 4n }),
      ...Object.keys(entry.data).map((field) =>
        sealEntry('', { ...entry, data: { ...entry.data, [field]: 'x' } }),
      ),
      ...Object.keys(entry.metadata).map((field) =>
        sealEntry('', { ...entry, metadata: { ...entry.metadata, [field]: 'x' } }),
      ),
      sealEntry('', { ...entry, metadata: { ...entry.metadata, added: 'x' } }),
    ];
    expect(new Set([sealEntry('', entry), ...changed]).size).toBe(changed.length + 1);
  });
});
