import { decider } from '#kernel/commands/decider.js';
import type { EventOf } from '#kernel/events/event.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { canonicalJson } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import { sourceEvents, type SourceEvents } from './source.events.js';

/** A source that moves back and forth at each poll adds at most one event in this time for each of its addresses. */
const KNOWN_ADDRESS_MS = 7 * DAY_MS;

type Terms = SourceEvents['SourceAdded']['terms'];

export type Source = {
  readonly sourceId: number | null;
  readonly status: 'active' | 'paused' | 'removed';
  readonly url: string;
  /** By address: when it was added there, or last moved there. */
  readonly arrivedAt: { readonly [url: string]: string };
  readonly terms: Terms | null;
  readonly isShared: boolean;
};

/** The operator's decisions about a source of observations; stream `source-<id>`. */
export const source = decider<Source>()({
  category: 'source',
  scope: 'global',
  strict: true,
  vocabulary: sourceEvents,
  initial: () => ({
    sourceId: null,
    status: 'active',
    url: '',
    arrivedAt: {},
    terms: null,
    isShared: false,
  }),
  on: {
    SourceAdded: (_, { data: { sourceId, url, terms, isShared, addedAt } }) => ({
      sourceId,
      status: 'active',
      url,
      arrivedAt: { [url]: addedAt },
      terms,
      isShared,
    }),
    SourceShared: (state) => ({ ...state, isShared: true }),
    SourceMoved: (state, { data: { url, movedAt } }) => ({
      ...state,
      url,
      arrivedAt: { ...state.arrivedAt, [url]: movedAt },
    }),
    SourceTermsRecorded: (state, { data }) => ({ ...state, terms: data.terms }),
    SourcePaused: (state) => ({ ...state, status: 'paused' }),
    SourceResumed: (state) => ({ ...state, status: 'active' }),
    SourceRemoved: (state) => ({ ...state, status: 'removed' }),
  },
});

export const unknownSource = refusal({
  code: 'unknown-source',
  kind: 'missing',
  detail: 'There is no source with this id.',
});

type Decided = EventOf<SourceEvents>[];

export const addSource =
  (added: SourceEvents['SourceAdded']) =>
  (state: Source): Decided => {
    if (state.sourceId !== null) throw new Error(`source ${added.sourceId} exists already`);
    return [{ type: 'SourceAdded', data: added }];
  };

/** Stops polling until it is resumed. Idempotent. */
export const pauseSource =
  (pausedAt: string) =>
  (state: Source): Decided =>
    inUse(state) === 'paused' ? [] : [{ type: 'SourcePaused', data: { sourceId: idOf(state), pausedAt } }];

export const resumeSource =
  (resumedAt: string) =>
  (state: Source): Decided =>
    inUse(state) === 'active' ? [] : [{ type: 'SourceResumed', data: { sourceId: idOf(state), resumedAt } }];

/**
 * All workspaces may see its content, even after it is removed, because its observations stay (SRC-10). Idempotent.
 */
export const shareSource =
  (sharedAt: string) =>
  (state: Source): Decided =>
    state.isShared ? [] : [{ type: 'SourceShared', data: { sourceId: idOf(state), sharedAt } }];

/** Stops polling; its observations stay. Idempotent. */
export const removeSource =
  (removedAt: string) =>
  (state: Source): Decided => {
    const sourceId = idOf(state);
    return state.status === 'removed' ? [] : [{ type: 'SourceRemoved', data: { sourceId, removedAt } }];
  };

/**
 * Records a new address (SRC-03). Not the present one, nor one at which the source arrived in the last week: it is read
 * there by the redirect of its present address. Idempotent.
 */
export const moveSource =
  (url: string, movedAt: string) =>
  (state: Source): Decided => {
    inUse(state);
    const arrivedAt = state.arrivedAt[url];
    const isRecent =
      arrivedAt !== undefined && Date.parse(movedAt) - Date.parse(arrivedAt) < KNOWN_ADDRESS_MS;
    if (state.url === url || isRecent) return [];
    return [{ type: 'SourceMoved', data: { sourceId: idOf(state), url, movedAt } }];
  };

/** Records the terms that apply from now on. Idempotent. */
export const recordTerms =
  (terms: Terms, recordedAt: string) =>
  (state: Source): Decided => {
    inUse(state);
    const isKnown = state.terms !== null && canonicalJson(state.terms) === canonicalJson(terms);
    if (isKnown) return [];
    return [{ type: 'SourceTermsRecorded', data: { sourceId: idOf(state), terms, recordedAt } }];
  };

function idOf({ sourceId }: Source): number {
  if (sourceId === null) throw unknownSource();
  return sourceId;
}

function inUse(state: Source): 'active' | 'paused' {
  if (state.sourceId === null || state.status === 'removed') throw unknownSource();
  return state.status;
}
