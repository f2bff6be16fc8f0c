import type { SourceEvents } from '#sources/domain/source.events.js';
import { projection } from '#kernel/projections/projection.js';

/** A source as its operators decided about it, and where it is read now. */
export type SourceDocument = Omit<SourceEvents['SourceAdded'], 'sourceId'> & {
  readonly id: number;
  readonly status: 'active' | 'paused' | 'removed';
  /** What its subject goes by, or null: for who looks for the sources of a company. */
  readonly subjectName: string | null;
  /** Of the event that added it: of two of one board the earlier one stays. */
  readonly addedPosition: string;
  /** Where it was read before it moved, oldest first: what was read then names that address. */
  readonly earlier: readonly { readonly url: string; readonly until: string }[];
};

export const sourceKey = (sourceId: number): string => String(sourceId);

export const sources = projection<SourceDocument, SourceEvents>()({
  name: 'sources',
  version: 4,
  indexes: {
    byId: ['id'],
    byBoard: ['kind', 'boardId'],
    byUrl: ['kind', 'url'],
    byKind: ['kind', 'id'],
    byStatus: ['status', 'id'],
    bySubject: ['subjectName', 'id'],
  },
  key: (event) => sourceKey(event.data.sourceId),
  on: {
    SourceAdded: (_, { data: { sourceId, ...added }, position }) => ({
      id: sourceId,
      ...added,
      status: 'active',
      subjectName: added.subject?.value ?? null,
      addedPosition: position,
      earlier: [],
    }),
    SourceMoved: (source, { data: { url, movedAt } }) =>
      source && { ...source, url, earlier: [...source.earlier, { url: source.url, until: movedAt }] },
    SourceTermsRecorded: (source, { data: { terms } }) => (source === null ? null : { ...source, terms }),
    SourceShared: (source) => (source === null ? null : { ...source, isShared: true }),
    SourcePaused: (source) => (source === null ? null : { ...source, status: 'paused' }),
    SourceResumed: (source) => (source === null ? null : { ...source, status: 'active' }),
    SourceRemoved: (source) => (source === null ? null : { ...source, status: 'removed' }),
  },
});
