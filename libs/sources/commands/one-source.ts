import { Id } from '#kernel/values/schema.js';
import { described } from '#ops/support/inputs.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { sourceKey, sources, type SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { unknownSource } from '../domain/source.js';

export const SourceId = described('id of the source', { ...Id, maximum: Number.MAX_SAFE_INTEGER });

/** The source with this id, in any status. Throws `unknownSource`. */
export async function oneSource(
  { readModels }: Pick<OperatorHost, 'readModels'>,
  sourceId: number,
): Promise<SourceDocument> {
  const found = await readModels.get<SourceDocument>(sources, sourceKey(sourceId));
  if (found === null) throw unknownSource();
  return found;
}
