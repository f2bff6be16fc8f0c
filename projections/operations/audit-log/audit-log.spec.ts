import { foldAll } from '#kernel/testing/project.js';
import { auditLog } from './audit-log.projection.js';

const metadata = {
  actorKind: 'operator',
  actorId: 'maria',
  commandId: 'one',
  correlationId: 'request-1',
  workspaceId: '7',
  recordedAt: '2026-01-05T10:00:00.000Z',
};
const granted = {
  type: 'CreditsGranted',
  stream: 'credits-7',
  data: { movementId: 4, credits: '12000000', reason: 'June', key: 'secret-of-the-caller' },
};

describe('CON-03 the audit log', () => {
  it('has what an operator changed: who, when, and every event of the command', () => {
    const documents = foldAll(auditLog, [
      { ...granted, metadata },
      { type: 'CreditsLow', stream: 'credits-7', data: { balance: '5' }, metadata },
    ]);
    expect([...documents.values()]).toEqual([
      {
        id: 'one',
        at: '2026-01-05T10:00:00.000Z',
        operator: 'maria',
        via: null,
        workspaceId: 7,
        what: 'CreditsGranted',
        events: [
          {
            type: 'CreditsGranted',
            stream: 'credits-7',
            revision: 0,
            about: { movementId: 4, credits: '12000000', reason: 'June' },
          },
          { type: 'CreditsLow', stream: 'credits-7', revision: 1, about: {} },
        ],
        count: 2,
        correlationId: 'request-1',
      },
    ]);
  });

  it('shows that the name was not verified, and has no workspace if there is none', () => {
    const { workspaceId: _none, ...global } = metadata;
    const documents = foldAll(auditLog, [
      {
        type: 'OperatorAdded',
        data: { name: 'leo', role: 'finance', tokenHash: 'ab'.repeat(32) },
        metadata: { ...global, actorVia: 'cli' },
      },
    ]);
    const [document] = documents.values();
    expect(document).toEqual(
      expect.objectContaining({ via: 'cli', workspaceId: null, what: 'OperatorAdded' }),
    );
    expect(JSON.stringify(document)).not.toContain('abab');
  });

  it('has nothing of what a customer or the service did', () => {
    const documents = foldAll(auditLog, [
      { ...granted, metadata: { ...metadata, actorKind: 'apiKey' } },
      { ...granted, metadata: { ...metadata, actorKind: 'system' } },
    ]);
    expect(documents.size).toBe(0);
  });

  it('keeps the first ten events of a command that wrote many, and counts all', () => {
    const many = Array.from({ length: 25 }, () => ({ ...granted, metadata }));
    const [document] = foldAll(auditLog, many).values();
    expect([document?.events.length, document?.count]).toEqual([10, 25]);
  });
});
