import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { ListKind } from '#lists/domain/lists/list.events.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { booleanQuery, idParam, offsetPage, oneOfParam, type ValuesOf } from '#http/parameters.js';
import { listKey, lists, type ListDocument } from '#projections/lists/lists/lists.projection.js';
import { findPage } from '../find-page.js';

/** The parameters in the path of a list; a wrong kind or a malformed id is an unknown list (OP-01, OP-43). */
export const listPath = { kind: oneOfParam(['company', 'profile'], 404), list_id: idParam(404) };

/** The same in v3, where a malformed id is a fault of the path (OP-01). */
export const listPathV3 = { ...listPath, list_id: idParam(400) };

/** The additional parameters in the path of a member. */
export const memberPath = { ...listPath, member_id: idParam(404) };
export const memberPathV3 = { ...listPathV3, member_id: idParam(400) };

/** The refusals of an endpoint whose path names a list. */
export const listPathProblems = [listNotFound];

/** The list of this kind that is not deleted; throws `listNotFound`. */
export async function findList(
  readModels: ReadModels,
  workspaceId: number,
  kind: ListKind,
  listId: number,
): Promise<ListDocument> {
  const list = await readModels.get(lists, listKey(workspaceId, listId));
  if (list === null || list.deleted || list.kind !== kind) throw listNotFound();
  return list;
}

/** The query parameters of all routes that list the lists. */
export const listsQuery = { include_archived: booleanQuery(400), page: offsetPage({ invalid: 400 }) };

/** A page of the lists of a workspace that are not deleted, the oldest first, with the total number. */
export function findLists(
  readModels: ReadModels,
  workspaceId: number,
  { include_archived, page }: ValuesOf<typeof listsQuery>,
) {
  const where = { workspaceId, deleted: false, ...(include_archived ? {} : { archived: false }) };
  return findPage(readModels, lists, { where }, page);
}
