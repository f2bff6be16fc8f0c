import { given } from '#kernel/testing/scenario.js';
import {
  addSource,
  moveSource,
  pauseSource,
  recordTerms,
  removeSource,
  resumeSource,
  shareSource,
  source,
  unknownSource,
} from './source.js';
import type { SourceEvents } from './source.events.js';

const at = '2026-02-01T10:00:00.000Z';
const added: { readonly type: 'SourceAdded'; readonly data: SourceEvents['SourceAdded'] } = {
  type: 'SourceAdded',
  data: {
    sourceId: 1,
    kind: 'greenhouse',
    boardId: 'acme',
    name: 'Acme jobs',
    url: 'https://boards.greenhouse.io/acme',
    subject: { entity: 'company', by: 'domain', value: 'acme.com' },
    redactsContacts: true,
    isShared: false,
    baseUrl: null,
    match: null,
    mapping: null,
    terms: { url: 'https://terms.example', verdict: 'public', readOn: '2026-01-01' },
    addedAt: at,
  },
};
const paused = { type: 'SourcePaused', data: { sourceId: 1, pausedAt: at } } as const;
const resumed = { type: 'SourceResumed', data: { sourceId: 1, resumedAt: at } } as const;
const removed = { type: 'SourceRemoved', data: { sourceId: 1, removedAt: at } } as const;

describe('a source', () => {
  it('SRC-10 is shared once, even after it is removed: its observations stay', () => {
    const shared = { type: 'SourceShared', data: { sourceId: 1, sharedAt: at } } as const;
    given(source, [added]).when(shareSource(at)).then([shared]);
    given(source, [added, removed]).when(shareSource(at)).then([shared]);
    given(source, [added, shared]).when(shareSource(at)).then([]);
    const asShared = { ...added, data: { ...added.data, isShared: true } };
    given(source, [asShared]).when(shareSource(at)).then([]);
    given(source, []).when(shareSource(at)).then(unknownSource());
  });

  it('is added, paused and resumed, each recorded once', () => {
    given(source, []).when(addSource(added.data)).then([added]);
    given(source, [added]).when(pauseSource(at)).then([paused]);
    given(source, [added, paused]).when(pauseSource(at)).then([]);
    given(source, [added]).when(resumeSource(at)).then([]);
    given(source, [added, paused]).when(resumeSource(at)).then([resumed]);
  });

  it('records each address and the terms of each reading once', () => {
    const url = 'https://new.example/feed';
    const moved = { type: 'SourceMoved', data: { sourceId: 1, url, movedAt: at } } as const;
    given(source, [added]).when(moveSource(url, at)).then([moved]);
    given(source, [added, moved]).when(moveSource(url, at)).then([]);
    const { terms } = added.data;
    given(source, [added]).when(recordTerms(terms, at)).then([]);
    const later = { ...terms, readOn: '2026-06-01' };
    const recorded = {
      type: 'SourceTermsRecorded',
      data: { sourceId: 1, terms: later, recordedAt: at },
    } as const;
    given(source, [added]).when(recordTerms(later, at)).then([recorded]);
    given(source, [added, recorded]).when(recordTerms(later, at)).then([]);
  });

  it('SRC-03 records at most one move a week to an address from which it comes back again and again', () => {
    const [one, other] = [added.data.url, 'https://new.example/feed'];
    const moved = (url: string, day: string) =>
      ({ type: 'SourceMoved', data: { sourceId: 1, url, movedAt: `2026-02-${day}T10:00:00.000Z` } }) as const;
    const when = (movedOn: ReturnType<typeof moved>) => moveSource(movedOn.data.url, movedOn.data.movedAt);
    const [away, back] = [moved(other, '10'), moved(one, '11')];
    // It returns at once, because its new address may end.
    given(source, [added, away]).when(when(back)).then([back]);
    given(source, [added, away, back])
      .when(when(moved(other, '12')))
      .then([]);
    given(source, [added, away, back])
      .when(when(moved(other, '16')))
      .then([]);
    const again = moved(other, '17');
    given(source, [added, away, back]).when(when(again)).then([again]);
    given(source, [added, away, back, again])
      .when(when(moved(one, '17')))
      .then([]);
    // An address to which it has never moved is recorded at once: adding it again is refused from then on.
    const third = moved('https://third.example/feed', '11');
    given(source, [added, away, back]).when(when(third)).then([third]);
  });

  it('is removed permanently', () => {
    given(source, [added]).when(removeSource(at)).then([removed]);
    given(source, [added, removed]).when(removeSource(at)).then([]);
    given(source, [added, removed]).when(pauseSource(at)).then(unknownSource());
    given(source, [added, removed]).when(resumeSource(at)).then(unknownSource());
    given(source, [added, removed]).when(moveSource('https://new.example', at)).then(unknownSource());
    const later = { ...added.data.terms, readOn: '2026-06-01' };
    given(source, [added, removed]).when(recordTerms(later, at)).then(unknownSource());
  });

  it('is unknown before it is added', () => {
    for (const decide of [pauseSource(at), resumeSource(at), removeSource(at), moveSource('x', at)])
      given(source, []).when(decide).then(unknownSource());
  });
});
