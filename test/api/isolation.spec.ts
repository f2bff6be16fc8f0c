import {
  expectProblem,
  furnish,
  idPlaces,
  isShared,
  keyedRoutes,
  ownedId,
  ownPath,
  validBody,
  type OwnedIds,
  type WalkedRoute,
} from '#test/support/every-route.js';
import { collections, cursorRoutes, foreignRequests } from '#test/support/isolation.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer, TestWorkspace } from '#test/support/service.js';

const NEVER = 9_999_999;

describe('an object of another workspace', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service);
  const other = sharedWorkspace(service);
  let own: OwnedIds;
  let foreign: OwnedIds;
  beforeAll(async () => {
    own = await furnish(service, workspace);
    foreign = await furnish(service, other);
  });

  it('ISO-02 ISO-03 ISO-04 ISO-05 ISO-06 ISO-07 ISO-08 ISO-09 ISO-10 ISO-11 ISO-12 ISO-13 ISO-14 ISO-15 is answered in every path, query and body like an unknown one, and nothing changes', async () => {
    const walked: string[] = [];
    const before = await everything();
    for (const route of keyedRoutes) {
      const strangers = foreignRequests(route, { own, strange: (place) => ownedId(foreign, place) });
      const never = foreignRequests(route, { own, strange: () => NEVER });
      for (const [index, { title, route: asked, body, field }] of strangers.entries()) {
        const unknown = never[index];
        if (unknown === undefined) throw new Error(`${title}: asked for nothing that never was`);
        let answers: readonly Answer[] = [];
        const added = await service.eventsOf(async () => {
          answers = [await workspace.call(asked, body), await workspace.call(unknown.route, unknown.body)];
        });
        const [strange, nothing] = answers.map(({ status, body: given }) => ({
          status,
          given: withoutIds(given, [...Object.values(foreign), NEVER]),
        }));
        expect([title, strange]).toEqual([title, nothing]);
        expect([title, added]).toEqual([title, []]);
        for (const answer of answers) expectUnknown(title, route, field, answer);
        walked.push(title);
      }
    }
    expect(walked.filter((title) => title.includes(' by '))).toHaveLength(
      keyedRoutes.flatMap(({ path }) => idPlaces(path).filter((place) => !isShared(place))).length,
    );
    expect(walked.filter((title) => title.includes('?')).length).toBeGreaterThan(5);
    expect(walked.filter((title) => / [\w.]+$/.test(title)).length).toBeGreaterThan(10);
    expect(await everything()).toEqual(before);
  });

  /** Refused because of that id and nothing else; only a read may ignore it and find nothing. */
  function expectUnknown(title: string, route: WalkedRoute, field: string | null, answer: Answer): void {
    if (field === null) expect([title, answer.status]).toEqual([title, 404]);
    if (answer.status === 404) return expectProblem(`${route.method} ${answer.body.instance}`, answer);
    if (answer.status < 300) {
      const found: unknown = answer.body.data?.count ?? answer.body.data;
      return expect([title, found]).toEqual([title, typeof found === 'number' ? 0 : []]);
    }
    const named = Object.keys(answer.body.errors ?? {}).join();
    expect([title, answer.status, named]).toEqual([
      title,
      422,
      expect.stringContaining(String(field?.split('.').at(-1))),
    ]);
  }

  /** The owner's view of the objects that the other workspace requested. */
  async function everything(): Promise<readonly Answer['body'][]> {
    const answers: Answer['body'][] = [];
    for (const { method, path } of keyedRoutes) {
      if (method !== 'GET' || idPlaces(path).every((place) => isShared(place))) continue;
      const { status, body } = await other.call(`GET ${ownPath(foreign, path)}`);
      expect([path, status]).toEqual([path, 200]);
      answers.push(body);
    }
    expect(answers.length).toBeGreaterThan(8);
    return answers;
  }

  it('ISO-01 ISO-16 is in no collection: every workspace sees only its own rows', async () => {
    const walked = collections(keyedRoutes);
    expect(walked.length).toBeGreaterThan(7);
    for (const route of walked) {
      const [mine, theirs] = await Promise.all([rows(workspace, route, own), rows(other, route, foreign)]);
      expect([route.path, mine.length, theirs.length]).toEqual([route.path, expect.any(Number), mine.length]);
      if (mine.length === 0)
        throw new Error(
          `furnish() of test/support/every-route.ts makes no row for ${route.method} ${route.path}`,
        );
      expect([route.path, mine.filter((id) => theirs.includes(id))]).toEqual([route.path, []]);
    }
  });

  async function rows(owner: TestWorkspace, route: WalkedRoute, owned: OwnedIds): Promise<readonly number[]> {
    if (!['GET', 'POST', 'PUT'].includes(route.method))
      throw new Error(`${route.method} ${route.path} lists rows`);
    const { status, body } = await owner.call(
      `${route.method} ${ownPath(owned, route.path)}`,
      validBody(route, owned),
    );
    expect([route.path, status]).toEqual([route.path, 200]);
    return body.data.map((row: { readonly id?: number; readonly signal_request_id?: number }) =>
      Number(row.id ?? row.signal_request_id),
    );
  }

  it('ISO-17 is not reached with its cursors', async () => {
    const walked = cursorRoutes(keyedRoutes);
    expect(walked.length).toBeGreaterThan(3);
    for (const route of walked) {
      const ask = (owner: TestWorkspace, cursor: string | null): Promise<Answer> => {
        const page = { limit: 1, ...(cursor === null ? {} : { cursor }) };
        const query = cursor === null ? 'limit=1' : `limit=1&cursor=${encodeURIComponent(cursor)}`;
        return route.takesBody
          ? owner.call(`${route.method} ${route.path}`, { ...validBody(route, foreign), ...page })
          : owner.call(`${route.method} ${route.path}?${query}`);
      };
      const { body } = await ask(other, null);
      const cursor = body.meta.next_cursor ?? body.meta.cursor?.next;
      if (typeof cursor !== 'string')
        throw new Error(`furnish() of test/support/every-route.ts makes no second row for ${route.path}`);
      expect([route.path, (await ask(other, cursor)).status]).toEqual([route.path, 200]);
      const strange = await ask(workspace, cursor);
      // DLV-01: the feed answers a foreign cursor like an unknown one.
      const isFeed = route.path === '/api/v3/events';
      expect([route.path, strange.status, Object.keys(strange.body.errors ?? {})]).toEqual(
        isFeed ? [route.path, 410, []] : [route.path, 400, ['cursor']],
      );
    }
  });
});

/** The answer, without the ids of the request and the path that repeats them. */
function withoutIds(given: unknown, ids: readonly number[]): unknown {
  const text = JSON.stringify(given).replace(/"instance":"[^"]*"/, '"instance":""');
  return JSON.parse(text.replace(/\d+/g, (digits) => (ids.includes(Number(digits)) ? '0' : digits)));
}
