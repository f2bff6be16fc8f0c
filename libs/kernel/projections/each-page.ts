import type { Filter, ReadModels, Scalar, Sort, ViewOf } from '../ports/read-store.port.js';

/**
 * Pages of rows that are read by what the last row seen is known by: `read` gives the rows behind it, at most `size`
 * (null: from the beginning), `keyOf` says what a row is known by. No page is empty, and the page that is not full is
 * the last. Rejects as `read` does, and before the next page where the signal is aborted.
 */
export async function* pagesOf<Row, Key>(
  size: number,
  read: (after: Key | null) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
  signal?: AbortSignal,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let after: Key | null = null; ;) {
    signal?.throwIfAborted();
    const page: readonly Row[] = await read(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < size) return;
    after = keyOf(last);
  }
}

/**
 * Documents of a read model page by page, each page as it is when it is asked for. The sort is as `Query.after` wants
 * it: its last field is unique among equals, and none of its fields is null.
 */
export function eachPage<Document extends object>(
  readModels: Pick<ReadModels, 'find'>,
  view: ViewOf<Document>,
  {
    limit,
    signal,
    ...query
  }: Filter & { readonly sort: Sort; readonly limit: number; readonly signal?: AbortSignal },
): AsyncGenerator<readonly Document[], void, undefined> {
  return pagesOf(
    limit,
    (after: readonly NonNullable<Scalar>[] | null) =>
      readModels.find(view, { ...query, limit, ...(after === null ? {} : { after }) }),
    (document) => query.sort.map(([field]) => keyField(document, field)),
    signal,
  );
}

function keyField(document: object, field: string): NonNullable<Scalar> {
  const value: unknown = Reflect.get(document, field);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new Error(`a page cannot go on behind a document without ${field}`);
}
