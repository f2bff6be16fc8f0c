import type { SourceEvents } from '#sources/domain/source.events.js';
import { projection } from '#kernel/projections/projection.js';

/** A source with the decisions of its operators, and its current address. */
export type SourceDocument = Omit<SourceEvents['SourceAdded'], 'sourceId'> & {
  readonly id: number;
  readonly status: 'active' | 'paused' | 'removed';
  /** The name of its subject, or null: the key for finding the sources of a company. */
  readonly subjectName: string | null;
  /** The position of the event that added it: of two for one board the earlier one stays. */
  readonly addedPosition: string;
  /** Its addresses before it moved, oldest first: earlier readings name these. */
  readonly earlier: readonly { readonly url: string; readonly until: string }[];
  /** Whether it has moved: then `earlier` has addresses. */
  readonly hasMoved: true | null;
};

export const sourceKey = (sourceId: number): string => String(sourceId);

export const sources = projection<SourceDocument, SourceEvents>()({
  name: 'sources',
  version: 5,
  indexes: {
    byId: ['id'],
    byBoard: ['kind', 'boardId'],
    byUrl: ['kind', 'url'],
    byKind: ['kind', 'id'],
    byStatus: ['status', 'id'],
    bySubject: ['subjectName', 'id'],
    moved: ['kind', 'hasMoved', 'id'],
  },
  onlyWith: { moved: 'hasMoved' },
  key: (event) => sourceKey(event.data.sourceId),
  on: {
    SourceAdded: (_, { data: { sourceId, ...added }, position }) => ({
      id: sourceId,
      ...added,
      status: 'active',
      subjectName: added.subject?.value ?? null,
      addedPosition: position,
      earlier: [],
      hasMoved: null,
    }),
    SourceMoved: (source, { data: { url, movedAt } }) =>
      source && {
        ...source,
        url,
        earlier: [...source.earlier, { url: source.url, until: movedAt }],
        hasMoved: true,
      },
    SourceTermsRecorded: (source, { data: { terms } }) => (source === null ? null : { ...source, terms }),
    SourceShared: (source) => (source === null ? null : { ...source, isShared: true }),
    SourcePaused: (source) => (source === null ? null : { ...source, status: 'paused' }),
    SourceResumed: (source) => (source === null ? null : { ...source, status: 'active' }),
    SourceRemoved: (source) => (source === null ? null : { ...source, status: 'removed' }),
  },
});
