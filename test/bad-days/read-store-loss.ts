import { diagnostic } from '#test/support/diagnostic.js';
import { readFileSync } from 'node:fs';
import { eventually } from '#test/projections/engine-fixture.js';
import { keyedRoutes, type OwnedIds } from '#test/support/every-route.js';
import { soon } from '#test/support/event-stores.js';
import type { TestService, TestWorkspace } from '#test/support/service.js';
import { askEveryRoute, routesWith } from './every-answer.js';
import { ledgerTraffic, type LedgerTraffic } from './ledger-traffic.js';

const RUNBOOK = new URL('../../../docs/runbooks/bad-days.md', import.meta.url);
const CLIENTS = 3;
const POSTINGS = 20;

/** The routes that, by the runbook, work without the read store. */
function routesThatGoOn(): readonly string[] {
  const table = readFileSync(RUNBOOK, 'utf8').split('<!-- routes that go on -->')[1] ?? '';
  return [...table.matchAll(/^\| `([A-Z]+ \/\S+)`/gm)].map(([, route = '']) => route).sort();
}

/** A running service with a read store that can be taken away, and a furnished workspace. */
export type HouseWithReadStore = {
  readonly service: TestService;
  readonly workspace: TestWorkspace;
  readonly owned: OwnedIds;
  readonly takeAway: () => void;
  readonly bringBack: () => void;
};

/** Takes the read store away, calls every route meanwhile, and checks everything once it is back. */
export async function surviveWithoutReadStore(house: HouseWithReadStore): Promise<void> {
  const { service } = house;
  const traffic = ledgerTraffic(() => service, await service.workspace({ credits: 1_000_000 }));
  try {
    await loseReadStore(house, traffic);
  } finally {
    await traffic.stop().catch(() => undefined);
  }
}

async function loseReadStore(
  { service, workspace, owned, takeAway, bringBack }: HouseWithReadStore,
  traffic: LedgerTraffic,
): Promise<void> {
  takeAway();
  traffic.start(CLIENTS);
  const statuses = await askEveryRoute(workspace, owned);
  expect(statuses.size).toBe(keyedRoutes.length);
  expect(routesWith(statuses, (status) => status !== 503)).toEqual(routesThatGoOn());
  // Such a request succeeds, or another one did its work already: an item is deleted only once.
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

  bringBack();
  let last: unknown = 'no answer';
  await soon(
    'readiness',
    eventually(async () => {
      const { status, body } = await service.call('GET /health/ready');
      last = body;
      return status === 200;
    }),
  ).catch((error: unknown) => {
    throw new Error(`not ready again: ${JSON.stringify(last)}`, { cause: error });
  });
  // The models contain all of it, including late requests.
  expect((await service.ops('work.drain')).status).toBe(200);
  const proven = await traffic.prove(service.service.host.eventStore);
  const verified = await service.ops('projections.verify');
  expect([verified.status, verified.body.ok]).toEqual([200, true]);
  expect(routesWith(await askEveryRoute(workspace, owned), (status) => status === 503)).toEqual([]);
  diagnostic(JSON.stringify({ routes: statuses.size, goOn: routesThatGoOn().length, ...proven }));
}
