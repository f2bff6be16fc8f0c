import { foldAll } from '#kernel/testing/project.js';
import { operators } from './operators.projection.js';

const by = (actorId: string, recordedAt: string) => ({ metadata: { actorId, recordedAt } });
const added = {
  type: 'OperatorAdded',
  data: { name: 'maria', role: 'finance', tokenHash: 'ab'.repeat(32) },
  ...by('operator', '2026-01-05T10:00:00.000Z'),
};
const rotated = {
  type: 'OperatorTokenRotated',
  data: { name: 'maria', tokenHash: 'cd'.repeat(32) },
  ...by('maria', '2026-02-05T10:00:00.000Z'),
};
const revoked = {
  type: 'OperatorRevoked',
  data: { name: 'maria' },
  ...by('operator', '2026-03-05T10:00:00.000Z'),
};
const shown = {
  name: 'maria',
  role: 'finance',
  addedAt: '2026-01-05T10:00:00.000Z',
  addedBy: 'operator',
  rotatedAt: null,
  revokedAt: null,
};

describe('CON-01 the operators read model', () => {
  it('shows an operator with the role and who added it, without the hash of the token', () => {
    expect([...foldAll(operators, [added]).values()]).toEqual([shown]);
  });

  it('shows when the token was rotated and when the operator was revoked', () => {
    expect([...foldAll(operators, [added, rotated, revoked]).values()]).toEqual([
      { ...shown, rotatedAt: '2026-02-05T10:00:00.000Z', revokedAt: '2026-03-05T10:00:00.000Z' },
    ]);
  });
});
