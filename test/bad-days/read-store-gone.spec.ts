import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { expect } from 'expect';
import { StoreUnavailable } from '#kernel/event-store.port.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { furnish, keyedRoutes, type OwnedIds } from '#test/support/every-route.js';
import { soon } from '#test/support/event-stores.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { askEveryRoute, routesWith } from './every-answer.js';
import { ledgerTraffic } from './ledger-traffic.js';
import { changedStores } from './other-stores.js';

const RUNBOOK = new URL('../../../docs/runbooks/bad-days.md', import.meta.url);
const CLIENTS = 3;
const POSTINGS = 20;

/** The routes that the runbook says go on without the read store. */
function routesThatGoOn(): readonly string[] {
  const table = readFileSync(RUNBOOK, 'utf8').split('<!-- routes that go on -->')[1] ?? '';
  return [...table.matchAll(/^\| `([A-Z]+ \/\S+)`/gm)].map(([, route = '']) => route).sort();
}

describe('a read store that is gone', () => {
  let isGone = false;
  let service: TestService;
  let workspace: TestWorkspace;
  let owned: OwnedIds;
  before(async () => {
    service = await startTestService({ CLOCK: 'manual' }, undefined, {
      openStores: changedStores(({ reads }) => ({
        reads: new Proxy(reads, {
          get(target, name) {
            const member: unknown = Reflect.get(target, name);
            if (typeof member !== 'function' || name === 'close') return member;
            return async (...args: unknown[]): Promise<unknown> => {
              if (isGone) throw new StoreUnavailable('the read store is gone');
              return Reflect.apply(member, target, args);
            };
          },
        }),
      })),
    });
    await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    workspace = await service.workspace({ credits: 1_000_000 });
    owned = await furnish(service, workspace);
  });
  after(() => service.stop());

  it('is 503 to whoever needs it; keys, commands that need no read model and charges go on, and all of it is there afterwards, once', async (context) => {
    const traffic = ledgerTraffic(() => service, await service.workspace({ credits: 1_000_000 }));
    context.after(() => traffic.stop().catch(() => undefined));
    isGone = true;
    traffic.start(CLIENTS);
    const statuses = await askEveryRoute(workspace, owned);
    expect(statuses.size).toBe(keyedRoutes.length);
    expect(routesWith(statuses, (status) => status !== 503)).toEqual(routesThatGoOn());
    // What goes on is done, or was done by another of these requests: what one deletes the next does not find.
    expect(routesWith(statuses, (status) => status >= 300 && status !== 503 && status !== 404)).toEqual([]);
    const stranger = { authorization: 'Bearer wsk_live_0000000000000000000000000000000000000000000' };
    expect((await service.call('GET /api/v2/agents', undefined, stranger)).status).toBe(401);
    expect((await service.call('GET /health/live')).status).toBe(200);
    const ready = await service.call('GET /health/ready');
    expect([ready.status, ready.body.reasons]).toEqual([503, [expect.stringContaining('read store')]]);
    await soon(
      'charges',
      eventually(() => traffic.acknowledged() >= POSTINGS),
    );
    await traffic.stop();
    expect(traffic.refused()).toBe(0);

    isGone = false;
    await soon(
      'readiness',
      eventually(async () => (await service.call('GET /health/ready')).status === 200),
    );
    // In the order of the requests, nothing was answered late for ever: the models have it all.
    expect((await service.ops('work.drain')).status).toBe(200);
    const proven = await traffic.prove(service.service.host.eventStore);
    const verified = await service.ops('projections.verify');
    expect([verified.status, verified.body.ok]).toEqual([200, true]);
    expect(routesWith(await askEveryRoute(workspace, owned), (status) => status === 503)).toEqual([]);
    context.diagnostic(JSON.stringify({ routes: statuses.size, goOn: routesThatGoOn().length, ...proven }));
  });
});
