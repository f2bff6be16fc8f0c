import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { ListKind } from '#domain/lists/list.events.js';
import { listNotFound } from '#domain/lists/list.js';
import { listKey, lists, type ListDocument } from '#projections/lists/lists.projection.js';

/** The list of this kind that is not deleted; throws `listNotFound`. */
export async function findList(
  readModels: ReadModels,
  workspaceId: number,
  kind: ListKind,
  listId: number,
): Promise<ListDocument> {
  const list = await readModels.get<ListDocument>(lists, listKey(workspaceId, listId));
  if (list === null || list.deleted || list.kind !== kind) throw listNotFound();
  return list;
}
