import { foldAll } from '#kernel/testing/project.js';
import { sourceKey, sources } from './sources.projection.js';

const metadata = {};
const added = {
  kind: 'greenhouse',
  boardId: 'acme',
  name: 'Acme jobs',
  url: 'https://boards.greenhouse.io/acme',
  subject: { entity: 'company', by: 'domain', value: 'acme.com' },
  isShared: false,
  baseUrl: null,
  match: null,
  mapping: null,
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
    const kept = {
      id: 1,
      ...added,
      subjectName: 'acme.com',
      addedPosition: '000000000000',
      earlier: [],
      hasMoved: null,
    };
    expect(statuses).toEqual(
      ['active', 'paused', 'active', 'removed'].map((status) => ({ ...kept, status })),
    );
  });

  it('SRC-10 shows that a file was shared later', () => {
    const events = [
      { type: 'SourceAdded', data: { sourceId: 1, ...added }, metadata },
      { type: 'SourceShared', data: { sourceId: 1, sharedAt: at }, metadata },
    ];
    expect(foldAll(sources, events.slice(0, 1)).get(sourceKey(1))).toMatchObject({ isShared: false });
    expect(foldAll(sources, events).get(sourceKey(1))).toMatchObject({ isShared: true });
  });

  it('SRC-03 follows the address, and keeps the terms of the last reading', () => {
    const terms = { ...added.terms, readOn: '2026-06-01' };
    const events = [
      { type: 'SourceAdded', data: { sourceId: 1, ...added }, metadata },
      { type: 'SourceMoved', data: { sourceId: 1, url: 'https://new.example/', movedAt: at }, metadata },
      { type: 'SourceTermsRecorded', data: { sourceId: 1, terms, recordedAt: at }, metadata },
    ];
    expect(foldAll(sources, events).get(sourceKey(1))).toMatchObject({
      boardId: 'acme',
      url: 'https://new.example/',
      earlier: [{ url: added.url, until: at }],
      hasMoved: true,
      terms,
    });
  });
});
