import { servingFile } from '#test/house/house.js';
import {
  expectProblem,
  expectStamped,
  furnish,
  keyedRoutes,
  ownPath,
  validBody,
  type OwnedIds,
} from '#test/support/every-route.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const SECRET = 'INSERT INTO a table that nobody should hear of';

describe('routes that write, when the streams cannot be read for an unexpected reason', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  let own: OwnedIds;
  const workspace = sharedWorkspace(service, {}, async (made) => {
    own = await furnish(service, made);
    await service.drain();
  });

  const writing = keyedRoutes.filter(({ method, path }) =>
    servingFile(`${method} ${path}`).endsWith('.command.ts'),
  );

  it('ERR-13 SETUP-32 SETUP-66 RUN-28 LST-33 MEM-27 answer 500 without giving the reason, and record nothing', async () => {
    expect(writing.length).toBeGreaterThan(20);
    const { events } = service.service.host.stores;
    const { readStream, append } = events;
    const broken = (): never => {
      throw new TypeError(SECRET);
    };
    await service.expectEvents([], async () => {
      Object.assign(events, { readStream: broken, append: broken });
      try {
        for (const route of writing) {
          const asked = `${route.method} ${ownPath(own, route.path)}`;
          const answer = await workspace.call(asked, validBody(route, own));
          expect([asked, answer.status]).toEqual([asked, 500]);
          expectProblem(asked, answer);
          expectStamped(asked, answer);
          expect(JSON.stringify(answer.body)).not.toContain(SECRET);
          expect(answer.body).not.toHaveProperty('errors');
        }
      } finally {
        Object.assign(events, { readStream, append });
      }
    });
    const renamed = await workspace.call(`PATCH ${ownPath(own, '/api/v3/signal-setups/:id')}`, {
      name: 'Back',
    });
    expect([renamed.status, renamed.body.data?.name]).toEqual([200, 'Back']);
  });
});
