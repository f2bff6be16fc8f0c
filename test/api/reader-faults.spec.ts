import {
  expectProblem,
  expectStamped,
  furnish,
  keyedRoutes,
  ownedId,
  pathAt,
  validBody,
  type OwnedIds,
} from '#test/support/every-route.js';
import { servingFile } from '#test/house/house.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const SECRET = 'SELECT _document FROM a table that nobody should hear of';

describe('reading routes that fail for an unexpected reason', () => {
  let owned: OwnedIds;
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, {}, async (made) => {
    owned = await furnish(service, made);
  });

  // A preview reads only the observed network.
  const reading = keyedRoutes.filter(
    ({ method, path }) =>
      servingFile(`${method} ${path}`).endsWith('.query.ts') && !path.endsWith('/keywords/preview'),
  );
  const asked = (route: (typeof reading)[number]): string => {
    const query = route.path.endsWith('/movements')
      ? `?setup_id=${ownedId(owned, '/api/v3/signal-setups/')}`
      : '';
    return `${route.method} ${pathAt(route.path, (place) => ownedId(owned, place))}${query}`;
  };

  it('ERR-13 TPL-22 BKT-08 SETUP-42 STAT-17 USE-21 PER-03 LEAD-08 CO-06 answer 500 without the reason, and work again afterwards', async () => {
    expect(reading.length).toBeGreaterThan(20);
    const { reads, events } = service.service.host.stores;
    const readStream = events.readStream.bind(events);
    const ends = events.ends.bind(events);
    const { get, getMany, find, count, groups } = reads;
    const broken = (): never => {
      throw new Error(SECRET);
    };
    Object.assign(reads, { get: broken, getMany: broken, find: broken, count: broken, groups: broken });
    // The statement is read from the ledger itself; keys are still looked up.
    Object.assign(events, {
      readStream: (...of: Parameters<typeof readStream>) =>
        of[0].startsWith('credits-') ? broken() : readStream(...of),
      ends: (streams: readonly string[]) =>
        streams.some((stream) => stream.startsWith('credits-')) ? broken() : ends(streams),
    });
    const added = await service
      .eventsOf(async () => {
        for (const route of reading) {
          const answer = await workspace.call(asked(route), validBody(route, owned));
          expect([asked(route), answer.status]).toEqual([asked(route), 500]);
          expectProblem(asked(route), answer);
          expectStamped(asked(route), answer);
          expect(JSON.stringify(answer.body)).not.toContain(SECRET);
          expect(answer.body).not.toHaveProperty('errors');
        }
      })
      .finally(() => {
        Object.assign(reads, { get, getMany, find, count, groups });
        Object.assign(events, { readStream, ends });
      });
    expect(added).toEqual([]);
    for (const route of reading) {
      const { status } = await workspace.call(asked(route), validBody(route, owned));
      expect([asked(route), status]).toEqual([asked(route), 200]);
    }
  });
});
