import { foldAll } from '#kernel/testing/project.js';
import { consoleLinks } from './console-links.projection.js';

const by = (actorId: string, recordedAt: string) => ({ metadata: { actorId, recordedAt } });
const link = { linkId: 'abab', workspaceId: 1 };
const events = [
  {
    type: 'ConsoleLinkMade',
    data: { ...link, hash: 'ab'.repeat(32), label: 'auditor', expiresAt: '2026-02-01T00:00:00.000Z' },
    ...by('maria', '2026-01-05T10:00:00.000Z'),
  },
  {
    type: 'ConsoleLinkOpened',
    data: { ...link, sessionHash: 'cd'.repeat(32) },
    ...by('console', '2026-01-06T10:00:00.000Z'),
  },
  { type: 'ConsoleLinkWithdrawn', data: link, ...by('maria', '2026-01-07T10:00:00.000Z') },
];

describe('CON-02 the read-only links of a workspace', () => {
  it('show who made each, when it was opened and when it was withdrawn', () => {
    expect([...foldAll(consoleLinks, events).values()]).toEqual([
      {
        id: 'abab',
        workspaceId: 1,
        hash: 'ab'.repeat(32),
        label: 'auditor',
        madeAt: '2026-01-05T10:00:00.000Z',
        madeBy: 'maria',
        expiresAt: '2026-02-01T00:00:00.000Z',
        openedAt: '2026-01-06T10:00:00.000Z',
        withdrawnAt: '2026-01-07T10:00:00.000Z',
      },
    ]);
  });
});
