import { foldAll } from '#kernel/testing/project.js';
import { sourceKey, sources } from './sources.projection.js';

const metadata = {};
const added = {
  kind: 'greenhouse',
  boardId: 'acme',
  name: 'Acme jobs',
  url: 'https://boards.greenhouse.io/acme',
  company: { by: 'domain', value: 'acme.com' },
  redactsContacts: true,
  terms: { url: 'https://terms.example', verdict: 'public', readOn: '2026-01-01' },
  addedAt: '2026-02-01T10:00:00.000Z',
} as const;
const at = '2026-02-02T10:00:00.000Z';

describe('the sources read model', () => {
  it('keeps each source with its status', () => {
    const events = [
      { type: 'SourceAdded', data: { sourceId: 1, ...added }, metadata },
      { type: 'SourcePaused', data: { sourceId: 1, pausedAt: at }, metadata },
      { type: 'SourceResumed', data: { sourceId: 1, resumedAt: at }, metadata },
      { type: 'SourceRemoved', data: { sourceId: 1, removedAt: at }, metadata },
    ];
    const statuses = events.map((_, index) => foldAll(sources, events.slice(0, index + 1)).get(sourceKey(1)));
    expect(statuses).toEqual(
      ['active', 'paused', 'active', 'removed'].map((status) => ({ id: 1, ...added, status })),
    );
  });
});
