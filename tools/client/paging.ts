/** The part of an openapi-fetch result that paging needs. */
type Answer<Page> = { readonly data?: Page; readonly error?: unknown; readonly response: Response };

type NumberedPage<Row> = {
  readonly data: readonly Row[];
  readonly meta: { readonly pagination: { readonly page: number; readonly page_count: number } };
};

type CursorPage<Row> = {
  readonly data: readonly Row[];
  readonly meta:
    | { readonly cursor: { readonly next: string | null; readonly has_more: boolean } }
    | { readonly next_cursor: string | null; readonly has_more: boolean };
};

/** A refusal of the service, with its problem document. */
export class RequestRefused extends Error {
  constructor(
    readonly status: number,
    readonly problem: unknown,
  ) {
    super(`the service answered ${status}: ${JSON.stringify(problem)}`);
  }
}

/**
 * Every row of a collection with numbered pages, one page after the other. `ask` fetches the page with this number:
 * `everyRow((page) => client.GET('/api/v2/lists', { params: { query: { page } } }))`. Throws `RequestRefused`.
 */
export async function* everyRow<Row>(
  ask: (page: number) => Promise<Answer<NumberedPage<Row>>>,
): AsyncGenerator<Row> {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, meta } = answered(await ask(page));
    pages = meta.pagination.page_count;
    yield* data;
  }
}

/**
 * Every row of a collection with cursors. `ask` fetches the page after this cursor, the first page without one:
 * `everyRowBehind((cursor) => client.GET('/api/v3/usage', { params: { query: { ...(cursor && { cursor }) } } }))`.
 * Throws `RequestRefused`.
 */
export async function* everyRowBehind<Row>(
  ask: (cursor: string | undefined) => Promise<Answer<CursorPage<Row>>>,
): AsyncGenerator<Row> {
  let cursor: string | undefined;
  for (;;) {
    const { data, meta } = answered(await ask(cursor));
    yield* data;
    const { next, has_more: hasMore } =
      'cursor' in meta ? meta.cursor : { next: meta.next_cursor, has_more: meta.has_more };
    // The last page of the events has a cursor too: that of the events to come.
    if (!hasMore || next === null) return;
    cursor = next;
  }
}

function answered<Page>({ data, error, response }: Answer<Page>): Page {
  if (data === undefined) throw new RequestRefused(response.status, error);
  return data;
}
