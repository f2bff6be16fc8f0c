import type { Filter, ReadModels, Sort, ViewOf } from '#kernel/ports/read-store.port.js';
import type { PageRequest } from '#http/paging.js';

/** The documents of one page, by id unless sorted otherwise, and the number of all documents that match. */
export async function findPage<Document>(
  readModels: ReadModels,
  view: ViewOf<Document>,
  { sort = [['id', 'asc']], ...filter }: Filter & { readonly sort?: Sort },
  { skip, pageSize }: PageRequest,
): Promise<{ readonly rows: readonly Document[]; readonly total: number }> {
  const [rows, total] = await Promise.all([
    readModels.find(view, { ...filter, sort, skip, limit: pageSize }),
    readModels.count(view, filter),
  ]);
  return { rows, total };
}
