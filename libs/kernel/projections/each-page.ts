import type { Filter, ReadModels, Scalar, Sort, ViewOf } from '../ports/read-store.port.js';

/**
 * Pages of rows by keyset: `read` returns at most `size` rows after a key (null: from the start), and `keyOf` returns the
 * key of a row. No page is empty, and a page that is not full is the last. Other work of the event loop runs between two
 * pages: an embedded store reads at once. Rejects as `read` does, and before the next page if the signal is aborted.
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
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * The documents of a read model page by page; each page is read when it is requested. As `Query.after` requires, the last
 * sort field is unique among equals, and no sort field is null.
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
