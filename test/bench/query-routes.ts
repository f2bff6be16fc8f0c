import { shapeOf } from '#http/body-shape.js';
import { bodyClass } from '#http/compiled-endpoint.js';
import { servingFile } from '../house/house.js';
import { servedEndpoints } from '../house/served-endpoints.js';
import { ownedId, pathAt, validBody, type OwnedIds, type WalkedRoute } from '../support/every-route.js';
import type { Answer, TestWorkspace } from '../support/service.js';

export type QueryRoute = WalkedRoute & {
  readonly route: string;
  readonly pages: 'offset' | 'cursor' | null;
};

/** The required query string of each route. */
const NEEDED: { readonly [route: string]: (owned: OwnedIds) => string } = {
  'GET /api/v3/credits/movements': (owned) => `setup_id=${ownedId(owned, '/api/v3/signal-setups/')}`,
};

/** Every route that reads, from the declarations: one file of the kind `.query.ts` each. It reads all sources (one second). */
export const queryRoutes = (): readonly QueryRoute[] =>
  servedEndpoints().flatMap(({ declared }) =>
    declared.paths
      .map((path) => ({ path, route: `${declared.method} ${path}` }))
      .filter(({ route }) => declared.caller === 'apiKey' && servingFile(route).endsWith('.query.ts'))
      .map(({ path, route }): QueryRoute => {
        const parameters = Object.entries(declared.query ?? {}).flatMap(([name, parameter]) =>
          parameter.document(name).map((documented) => documented.name),
        );
        const fields = declared.body === undefined ? null : shapeOf(bodyClass(declared)).properties;
        const takes = (name: string): boolean => parameters.includes(name) || fields?.has(name) === true;
        const pages = takes('page') ? 'offset' : takes('cursor') ? 'cursor' : null;
        const { method, readsOnly = false } = declared;
        return { route, path, method, keyed: true, takesBody: fields !== null, readsOnly, pages };
      }),
  );

/** The ids in the paths of these routes, by their place. The world of the benchmark has an object of each. */
export const PLACES = [
  '/api/v2/account-mapping/',
  '/api/v2/agents/',
  '/api/v2/companies/',
  '/api/v2/company-mappings/',
  '/api/v2/contents/',
  '/api/v2/leads/',
  '/api/v2/lists/:kind/',
  '/api/v2/lists/:kind/:list_id/members/',
  '/api/v2/personas/',
  '/api/v2/watchlists/:kind/',
  '/api/v2/watchlists/:kind/:list_id/entities/',
  '/api/v2/workspace/signal-runs/',
  '/api/v3/credits/movements/',
  '/api/v3/lists/:kind/',
  '/api/v3/lists/:kind/:list_id/members/',
  '/api/v3/signal-setups/',
  '/api/v3/signal-templates/',
  '/api/v3/signals/',
  '/api/v3/webhook-endpoints/',
] as const;

export type QueryRequest = {
  readonly method: string;
  readonly path: string;
  readonly body: object | null;
};

/** The first page, or the single answer, as a workspace requests it. */
export function firstRequest(asked: QueryRoute, owned: OwnedIds): QueryRequest {
  const { route, method, path } = asked;
  const url = pathAt(path, (place) => ownedId(owned, place));
  const needed = NEEDED[route]?.(owned);
  return {
    method,
    path: needed === undefined ? url : `${url}?${needed}`,
    body: validBody(asked, owned) ?? null,
  };
}

/**
 * The deepest page: the last one of an offset collection, or the one after this many rows of a cursor's. null if
 * everything fits on one page.
 */
export async function deepRequest(
  workspace: TestWorkspace,
  { pages }: QueryRoute,
  first: QueryRequest,
  rowsBefore: number,
): Promise<QueryRequest | null> {
  if (pages === null) return null;
  if (pages === 'offset') {
    const { meta } = (await ask(workspace, first)).body;
    const last: number = meta.pagination.page_count;
    return last < 2 ? null : withQuery(first, `page=${last}`);
  }
  const mostAtOnce = 100;
  let deep: QueryRequest | null = null;
  for (let rows = 0; rows < rowsBefore; rows += mostAtOnce) {
    const { body } = await ask(workspace, withLimit(deep ?? first, mostAtOnce));
    const next: string | null = body.meta.cursor?.next ?? body.meta.next_cursor ?? null;
    if (next === null) break;
    deep =
      first.body === null
        ? withQuery(first, `cursor=${encodeURIComponent(next)}`)
        : { ...first, body: { ...first.body, cursor: next } };
  }
  return deep;
}

async function ask(workspace: TestWorkspace, { method, path, body }: QueryRequest): Promise<Answer> {
  const answer = await workspace.call(`${method} ${path}`, body ?? undefined);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer;
}

function withLimit(asked: QueryRequest, limit: number): QueryRequest {
  return asked.body === null
    ? withQuery(asked, `limit=${limit}`)
    : { ...asked, body: { ...asked.body, limit } };
}

function withQuery(asked: QueryRequest, query: string): QueryRequest {
  return { ...asked, path: `${asked.path}${asked.path.includes('?') ? '&' : '?'}${query}` };
}
