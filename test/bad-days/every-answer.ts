import { expectProblem, keyedRoutes, ownPath, validBody, type OwnedIds } from '#test/support/every-route.js';
import type { TestWorkspace } from '#test/support/service.js';

/** `GET /api/v2/agents` → status. */
export type Statuses = ReadonlyMap<string, number>;

/**
 * Calls every route with a key, in parallel, with a valid body; deletions come last, or with the others when nothing
 * can be deleted anyway. Each 503 must be a problem document that says when to retry.
 */
export async function askEveryRoute(
  workspace: TestWorkspace,
  owned: OwnedIds,
  nothingIsWritten = false,
): Promise<Statuses> {
  const statuses = new Map<string, number>();
  for (const isLast of nothingIsWritten ? [false] : [false, true]) {
    await Promise.all(
      keyedRoutes
        .filter(({ method }) => nothingIsWritten || (method === 'DELETE') === isLast)
        .map(async (route) => {
          const asked = `${route.method} ${ownPath(owned, route.path)}`;
          const answer = await workspace.call(asked, validBody(route, owned));
          statuses.set(`${route.method} ${route.path}`, answer.status);
          if (answer.status !== 503) return;
          expectProblem(asked, answer);
          expect([asked, Number(answer.headers.get('retry-after'))]).toEqual([asked, expect.any(Number)]);
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        }),
    );
  }
  return statuses;
}

/** The routes with this status, sorted. */
export const routesWith = (statuses: Statuses, wanted: (status: number) => boolean): readonly string[] =>
  [...statuses].flatMap(([route, status]) => (wanted(status) ? [route] : [])).sort();
