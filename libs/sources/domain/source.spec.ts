import { given } from '#kernel/testing/scenario.js';
import { addSource, pauseSource, removeSource, resumeSource, source, unknownSource } from './source.js';
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
    company: { by: 'domain', value: 'acme.com' },
    redactsContacts: true,
    terms: { url: 'https://terms.example', verdict: 'public', readOn: '2026-01-01' },
    addedAt: at,
  },
};
const paused = { type: 'SourcePaused', data: { sourceId: 1, pausedAt: at } } as const;
const resumed = { type: 'SourceResumed', data: { sourceId: 1, resumedAt: at } } as const;
const removed = { type: 'SourceRemoved', data: { sourceId: 1, removedAt: at } } as const;

describe('a source', () => {
  it('is added, paused and resumed, each recorded once', () => {
    given(source, []).when(addSource(added.data)).then([added]);
    given(source, [added]).when(pauseSource(at)).then([paused]);
    given(source, [added, paused]).when(pauseSource(at)).then([]);
    given(source, [added]).when(resumeSource(at)).then([]);
    given(source, [added, paused]).when(resumeSource(at)).then([resumed]);
  });

  it('is removed for ever', () => {
    given(source, [added]).when(removeSource(at)).then([removed]);
    given(source, [added, removed]).when(removeSource(at)).then([]);
    given(source, [added, removed]).when(pauseSource(at)).then(unknownSource());
    given(source, [added, removed]).when(resumeSource(at)).then(unknownSource());
  });

  it('is not known before it is added', () => {
    for (const decide of [pauseSource(at), resumeSource(at), removeSource(at)])
      given(source, []).when(decide).then(unknownSource());
  });
});
