import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { foldAll } from '#kernel/testing/project.js';
import { provenancesOf } from './provenance.js';
import { sources } from './sources.projection.js';

const added = {
  sourceId: 3,
  kind: 'feed',
  boardId: 'https://acme.example/feed',
  name: 'Acme blog',
  url: 'https://acme.example/feed',
  subject: null,
  redactsContacts: true,
  isShared: false,
  baseUrl: null,
  match: null,
  mapping: null,
  terms: { url: 'https://terms.example', verdict: 'public', readOn: null },
  addedAt: '2026-01-01T00:00:00.000Z',
};
const moved = (url: string, movedAt: string) => ({
  type: 'SourceMoved',
  data: { sourceId: 3, url, movedAt },
});

/** The provenance of each of these with these sources, and the number of look-ups. */
async function shown(
  events: readonly ReturnType<typeof moved>[],
  ...found: Parameters<typeof provenancesOf>[1]
) {
  let lookedUp = 0;
  const documents = foldAll(sources, [{ type: 'SourceAdded', data: added }, ...events]);
  const getMany = (_view: unknown, keys: readonly string[]) => {
    lookedUp += 1;
    return Promise.resolve(new Map([...documents].filter(([key]) => keys.includes(key))));
  };
  const readModels = { getMany } as unknown as ReadModels;
  return { shown: await provenancesOf(readModels, found), lookedUp };
}
const readOn = (day: string, sourceId = 3) => ({ sourceId, readAt: `2026-${day}T00:00:00.000Z` });

describe('the provenance of a signal', () => {
  it('SRC-07 has kind, name and address of the source as of the reading', async () => {
    const events = [
      moved('https://acme.example/news', '2026-02-01T00:00:00.000Z'),
      moved('https://blog.acme.example/', '2026-03-01T00:00:00.000Z'),
    ];
    const provenance = [readOn('01-31'), readOn('02-01'), readOn('03-05')];
    const { shown: rows } = await shown(events, { provenance });
    expect(rows).toEqual([
      [
        ['2026-01-31', 'https://acme.example/feed'],
        ['2026-02-01', 'https://acme.example/news'],
        ['2026-03-05', 'https://blog.acme.example/'],
      ].map(([day, url]) => ({ kind: 'feed', name: 'Acme blog', url, read_at: `${day}T00:00:00.000Z` })),
    ]);
  });

  it('SRC-07 never shows the path of a file, and leaves out an unknown source', async () => {
    const events = [moved('/var/exports/crm.csv', '2026-02-01T00:00:00.000Z')];
    const provenance = [readOn('02-03'), readOn('02-03', 9)];
    const { shown: rows } = await shown(events, { provenance });
    expect(rows).toEqual([
      [{ kind: 'feed', name: 'Acme blog', url: null, read_at: '2026-02-03T00:00:00.000Z' }],
    ]);
  });

  it('SRC-07 is empty for ingested streams, without a look-up', async () => {
    expect(await shown([], {}, { provenance: undefined })).toEqual({ shown: [[], []], lookedUp: 0 });
  });
});
