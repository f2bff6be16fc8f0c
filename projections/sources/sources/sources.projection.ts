import type { SourceEvents } from '#sources/domain/source.events.js';
import { projection } from '#kernel/projections/projection.js';

/** A source as its operators decided about it. */
export type SourceDocument = Omit<SourceEvents['SourceAdded'], 'sourceId'> & {
  readonly id: number;
  readonly status: 'active' | 'paused' | 'removed';
};

export const sourceKey = (sourceId: number): string => String(sourceId);

export const sources = projection<SourceDocument, SourceEvents>()({
  name: 'sources',
  version: 1,
  indexes: { byId: ['id'], byBoard: ['kind', 'boardId'], byStatus: ['status', 'id'] },
  key: (event) => sourceKey(event.data.sourceId),
  on: {
    SourceAdded: (_, { data: { sourceId, ...added } }) => ({ id: sourceId, ...added, status: 'active' }),
    SourcePaused: (source) => (source === null ? null : { ...source, status: 'paused' }),
    SourceResumed: (source) => (source === null ? null : { ...source, status: 'active' }),
    SourceRemoved: (source) => (source === null ? null : { ...source, status: 'removed' }),
  },
});
