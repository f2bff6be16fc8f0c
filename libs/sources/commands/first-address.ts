import type { OperatorHost } from '#ops/support/operator-command.js';
import { sources, type SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { kindOf } from '../source-kinds.js';
import { sourcesAt } from '../sources-at.js';
import type { NewSource } from './new-source.js';

/**
 * The source under the address with which it was first added (SRC-03). A removed feed or board that had moved is the same
 * one when it is added at an address to which it had moved: under other refs its items would be found and charged again.
 */
export async function atFirstAddress(
  { readModels }: Pick<OperatorHost, 'readModels'>,
  source: NewSource,
): Promise<NewSource> {
  const { kind, boardId, url } = source;
  const whereRead = kindOf(kind)?.whereRead({ url }) ?? null;
  if (whereRead === null) return source;
  const [ofBoard, ofAddress] = await Promise.all([
    readModels.find<SourceDocument>(sources, { where: { kind, boardId }, limit: 1 }),
    sourcesAt(readModels, kind, whereRead),
  ]);
  const moved = ofAddress.filter(({ status, earlier }) => status === 'removed' && earlier.length > 0);
  const last = moved.toSorted((one, other) => one.id - other.id).at(-1);
  if (ofBoard.length > 0 || last === undefined) return source;
  // A host without encryption is read at the given address, and stays a host of the board.
  const isOwn = source.baseUrl === new URL(url).origin;
  return { ...source, boardId: last.boardId, baseUrl: isOwn ? last.baseUrl : source.baseUrl };
}
