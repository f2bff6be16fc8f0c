import { personasEvents } from '#lists/domain/personas/personas.events.js';
import { systemClock } from '#kernel/ports/clock.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import { event } from '#kernel/events/event.js';
import { projectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { projections } from '#projections/index.js';
import { allEvents } from '#runtime/vocabularies.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { proposed } from '#test/servers/eventstoredb/event-log.js';
import {
  startEventStoreDbServer,
  type EventStoreDbServer,
} from '#test/servers/eventstoredb/eventstoredb-server.js';
import { expectProblem } from '#test/support/every-route.js';
import { soon } from '#test/support/event-stores.js';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';
import { impatientStores } from './other-stores.js';

describe('an event that this version cannot read', () => {
  let server: EventStoreDbServer;
  let service: TestService;
  let poisoned: TestWorkspace;
  let other: TestWorkspace;

  const environment = (): { readonly [variable: string]: string } => ({
    EVENT_STORE_URL: server.url,
    CURSOR_SECRET: 'the same for all of them',
  });
  beforeEach(async () => {
    server = await startEventStoreDbServer();
    service = await startTestService(environment(), undefined, { openStores: impatientStores });
    [poisoned, other] = [await service.workspace(), await service.workspace()];
    for (const workspace of [poisoned, other])
      await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['Spain'], tag: 'made' });
  });
  afterEach(async () => {
    await service.stop();
    server.stop();
  });

  /** Appends, as another program or a newer version would, to a stream of the poisoned workspace. */
  function append(stream: string, type: string, data: string, schemaVersion = '1'): void {
    const metadata = {
      workspaceId: String(poisoned.id),
      schemaVersion,
      commandId: `foreign-${server.log.all.length}`,
      recordedAt: new Date().toISOString(),
    };
    server.log.write(stream, 'any', [
      proposed(type, data, { metadata: Buffer.from(JSON.stringify(metadata)) }),
    ]);
    server.log.commit();
  }

  const expectRefused = (route: string, answer: Answer): void => {
    expect([route, answer.status, answer.headers.get('retry-after')]).toEqual([route, 503, '1']);
    expectProblem(route, answer);
  };
  const degraded = async (): Promise<readonly string[]> =>
    (await service.call('GET /health/ready')).body.degraded;

  it('parks that workspace in that projection, is named by readiness, and drains in order when newer code retries', async () => {
    const stream = `personas-${poisoned.id}`;
    const personaId = (await poisoned.call('GET /api/v2/personas')).body.data[0].id;
    const updated = (tag: string): string =>
      JSON.stringify({ personaId, changes: { tag }, updatedAt: '2026-06-01T00:00:00.000Z' });
    append(stream, 'PersonaUpdated', '{"personaId":');
    append(stream, 'PersonaUpdated', updated('of a newer version'), '2');
    append(stream, 'PersonaUpdated', updated('last'));
    await soon(
      'parking',
      eventually(async () => (await degraded()).length > 0),
    );

    expect(await degraded()).toEqual(['personas: parked for 1 workspace']);
    expect((await service.call('GET /health/ready')).status).toBe(200);
    for (const route of ['GET /api/v2/personas', 'GET /api/v2/persona', `GET /api/v2/personas/${personaId}`])
      expectRefused(route, await poisoned.call(route));
    expect((await other.call('GET /api/v2/personas')).body.data).toEqual([
      expect.objectContaining({ tag: 'made' }),
    ]);
    for (const route of ['GET /api/v2/agents', 'GET /api/v2/lists', 'GET /api/v3/credits/balance'])
      expect([route, (await poisoned.call(route)).status]).toEqual([route, 200]);

    // No command is decided on a stream that cannot be read; all others are.
    const change = { tag: 'changed' };
    const route = `PATCH /api/v2/personas/${personaId}`;
    expect(
      await service.eventsOf(async () => expectRefused(route, await poisoned.call(route, change))),
    ).toEqual([]);
    const agent = { type: 'keyword_post_search', parameters: { tracking_keywords: ['crm'] } };
    expect((await poisoned.call('POST /api/v2/agents', agent)).status).toBe(201);

    const parked = (await service.ops('projections.parked')).body.parked;
    expect(parked).toEqual([
      expect.objectContaining({ name: 'personas', workspace_id: poisoned.id, events: 3, stream }),
    ]);
    expect(parked[0].reason).toMatch(/payload is not a JSON object/);
    const vain = await service.ops('projections.retry', { name: 'personas' });
    expect([vain.status, (await degraded()).length]).toEqual([200, 1]);

    await service.service.stop();
    expect(await retryWithNewerCode()).toEqual({ events: 3, stillParked: [], halted: null });
    service = await startTestService(environment(), service.dataDirectory, { openStores: impatientStores });
    expect(await degraded()).toEqual([]);
    const mended = await service.call('GET /api/v2/personas', undefined, {
      authorization: `Bearer ${poisoned.apiKey}`,
    });
    expect(mended.body.data).toEqual([expect.objectContaining({ id: personaId, tag: 'last' })]);
  });

  /** A later version: it knows the second form of the event, and can interpret the broken payload. */
  async function retryWithNewerCode() {
    const newer = {
      ...allEvents,
      PersonaUpdated: event(personasEvents.PersonaUpdated.schema, [(data) => data]),
    };
    const stores = await impatientStores(service.settings);
    const engine = projectionEngine({
      events: stores.events,
      reads: stores.reads,
      registry: projectionRegistry({ name: 'all', projections }),
      decode: (stored) =>
        decodeEvent(
          newer,
          typeof stored.data === 'object'
            ? stored
            : { ...stored, data: { personaId: 0, changes: {}, updatedAt: '2026-06-01T00:00:00.000Z' } },
        ),
      clock: systemClock,
    });
    try {
      return await soon('the retry', engine.retry('personas', poisoned.id));
    } finally {
      await engine.stop();
      await stores.close();
    }
  }

  it('stops only the commands of the workspace whose ledger contains it, and says which event it is', async () => {
    append(`credits-${poisoned.id}`, 'CreditsTeleported', '{"credits":"1000000"}');
    const grant = (workspace: TestWorkspace): Promise<Answer> =>
      service.ops('credits.grant', { workspace_id: workspace.id, credits: 1, reason: 'test' });
    const added = await service.eventsOf(async () => {
      const refused = await grant(poisoned);
      expectRefused('POST /ops/credits.grant', refused);
      expect(refused.body.detail).toMatch(
        new RegExp(`CreditsTeleported at credits-${poisoned.id}@\\d+ cannot be read`),
      );
      const hold = { workspace_id: poisoned.id, key: 'k', credits: 1, product: 'match' };
      expectRefused('POST /ops/credits.hold', await service.ops('credits.hold', hold));
    });
    expect(added).toEqual([]);
    expect((await grant(other)).status).toBe(200);
    expect((await poisoned.call('GET /api/v2/personas')).status).toBe(200);
    expect((await poisoned.call('GET /api/v3/credits/balance')).body.data.balance).toBe(1000);
    expect((await service.call('GET /health/ready')).status).toBe(200);
  });
});
