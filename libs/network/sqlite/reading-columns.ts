import type { ReadingOf } from '../network-source.port.js';

/** The columns of the reading that showed a revision, as a query selects them. */
export const READING = 'source_id AS sourceId, read_at AS readAtMs';

export type ReadingColumns = { readonly sourceId: string | null; readonly readAtMs: number | null };

export function readingIn({ sourceId, readAtMs }: ReadingColumns): ReadingOf {
  return sourceId === null || readAtMs === null ? null : { sourceId, readAtMs };
}
