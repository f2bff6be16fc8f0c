import { diagnostic } from '#test/support/diagnostic.js';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { furnish, keyedRoutes } from '#test/support/every-route.js';
import { soon } from '#test/support/event-stores.js';
import { mortalEventStoreDb } from '#test/support/mortal-eventstoredb.js';
import { keywordAgent, observedPost } from '#test/support/observed-network.js';
import { launchRun, pollRun } from '#test/support/signal-runs.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { askEveryRoute, routesWith, type Statuses } from './every-answer.js';
import { ledgerTraffic } from './ledger-traffic.js';
import { impatientStores } from './other-stores.js';

const OUTAGES = Number(process.env['OUTAGES'] ?? '1');
const OUTAGE_SECONDS = Number(process.env['OUTAGE_SECONDS'] ?? '0');
const CLIENTS = 4;
/** Postings that are acknowledged before the store goes away, and again after it is back. */
const POSTINGS = 60;
const SIGNALS = 120;

/** A store that can be taken away from a running service. */
type Store = {
  readonly service: TestService;
  /** Prepares what takes time, so that the run is still in progress when the store is away. */
  readonly standBy: () => Promise<void>;
  readonly takeAway: () => Promise<void>;
  readonly bringBack: () => Promise<void>;
  readonly expectDuring: (statuses: Statuses) => void;
  /** Whether the service notices that it has lost its store: a locked file can still be read. */
  readonly isUnready: boolean;
};

/** Takes the store away under load and in the middle of a run, and checks everything until all is well again. */
async function survive(store: Store): Promise<void> {
  const { service } = store;
  await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
  const workspace = await service.workspace({ credits: 1_000_000 });
  const owned = await furnish(service, workspace);
  await service.ingest(
    Array.from({ length: SIGNALS }, (_, index) =>
      observedPost(`outage-${index}`, 'ana', 'about outages', `2026-05-31T08:00:00.${100 + index}Z`),
    ),
  );
  const traffic = ledgerTraffic(() => service, await service.workspace({ credits: 1_000_000 }));

  try {
    for (let outage = 1; outage <= OUTAGES; outage += 1) {
      const before = traffic.acknowledged();
      traffic.start(CLIENTS);
      await soon(
        'traffic',
        eventually(() => traffic.acknowledged() >= before + POSTINGS),
      );
      await store.standBy();
      const launched = await launchRun(workspace, await keywordAgent(workspace, 'outages'));
      expect(launched.status).toBe(202);
      const runId: number = launched.body[0].signal_request_id;
      await store.takeAway();
      const goneAt = performance.now();

      store.expectDuring(await askEveryRoute(workspace, owned, true));
      const refusedBefore = traffic.refused();
      await eventually(
        () =>
          traffic.refused() >= refusedBefore + CLIENTS &&
          performance.now() - goneAt >= OUTAGE_SECONDS * 1_000,
      );
      const stage = Reflect.get(
        (await service.service.host.readModels.get(signalRuns, String(runId))) ?? {},
        'stage',
      );
      expect(stage).toBe('running');
      expect((await service.call('GET /health/live')).status).toBe(200);
      const ready = await service.call('GET /health/ready');
      expect(ready.status).toBe(store.isUnready ? 503 : 200);
      if (store.isUnready) expect(ready.body.reasons).toEqual([expect.stringContaining('event store')]);
      const outageMs = Math.round(performance.now() - goneAt);

      await store.bringBack();
      const back = traffic.acknowledged();
      await soon(
        'traffic again',
        eventually(() => traffic.acknowledged() >= back + POSTINGS),
      );
      await traffic.stop();
      const askedAgain = await traffic.askAgain();
      await soon(
        'readiness',
        eventually(async () => (await service.call('GET /health/ready')).status === 200),
      );
      expect((await service.ops('work.drain')).status).toBe(200);
      expect((await pollRun(workspace, runId)).body).toMatchObject({
        stage: 'completed',
        matches_found: SIGNALS,
      });
      const proven = await traffic.prove(service.service.host.eventStore);
      diagnostic(
        JSON.stringify({
          outage,
          outageMs,
          routes: keyedRoutes.length,
          refused: traffic.refused(),
          askedAgain,
          ...proven,
        }),
      );
    }
  } finally {
    await traffic.stop().catch(() => undefined);
  }
  // Every acknowledged change of the outage and around it is in the read models, once.
  const verified = await service.ops('projections.verify');
  expect([verified.body.ok, verified.body.verified.length]).toEqual([true, expect.any(Number)]);
}

describe('an event store that is gone under load', () => {
  it('is EventStoreDB killed: requests that need it get 503, nothing is lost or doubled, and all continues without a restart', async () => {
    await using server = await mortalEventStoreDb();
    await using service = await startTestService(
      { CLOCK: 'manual', EVENT_STORE_URL: server.url, CURSOR_SECRET: 'the same for all of them' },
      undefined,
      { openStores: impatientStores },
    );
    await survive({
      service,
      standBy: () => Promise.resolve(),
      takeAway: server.kill,
      bringBack: server.restart,
      // The keys are looked up there: without it no key is known.
      expectDuring: (statuses) => {
        expect(routesWith(statuses, (status) => status !== 503)).toEqual([]);
        expect(statuses.size).toBe(keyedRoutes.length);
      },
      isUnready: true,
    });
  });

  it('is an SQLite file that another process keeps locked: reads continue, writes get 503', async () => {
    // This test uses the file, whatever stores the run is about.
    await using service = await startTestService({ CLOCK: 'manual', EVENT_STORE_URL: '' }, undefined, {
      openStores: impatientStores,
    });
    let locker: ChildProcess | undefined;
    try {
      await survive({
        service,
        standBy: async () => {
          const script = fileURLToPath(new URL('file-locker.js', import.meta.url));
          locker = fork(script, [join(service.dataDirectory, 'events.db')]);
          await soon('the process that locks', once(locker, 'message'));
        },
        takeAway: async () => {
          if (locker === undefined) return;
          const locked = once(locker, 'message');
          locker.send('lock');
          await soon('the lock', locked);
        },
        bringBack: async () => {
          if (locker === undefined) return;
          const ended = once(locker, 'exit');
          locker.kill('SIGKILL');
          await ended;
        },
        expectDuring: (statuses) => {
          // These may write nothing: a restored item was never deleted, a company was mapped today already, a
          // cancelled item has ended, the test of a webhook is no event, and the cap is replaced by the same cap. But
          // a refused write to the same stream may still be in flight, and then the outcome is open.
          const isEither = (route: string): boolean =>
            /\/(restore|enrich-company-mapping|cancel|test)$|^PUT .*\/caps\/:cap_id$/.test(route);
          const asksOnly = (route: string): boolean =>
            route.startsWith('GET ') || /\/(query|count|quote|preview)$/.test(route);
          const others = [...statuses].filter(([route]) => !isEither(route));
          expect(others).toEqual(others.map(([route]) => [route, asksOnly(route) ? 200 : 503]));
          for (const [route, status] of statuses)
            if (isEither(route)) expect([200, 202, 409, 503]).toContain(status);
        },
        isUnready: false,
      });
    } finally {
      locker?.kill('SIGKILL');
    }
  });
});
