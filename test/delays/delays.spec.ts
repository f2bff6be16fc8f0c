import { setTimeout } from 'node:timers/promises';
import { openStores } from '#runtime/stores.js';
import { accountPipelines } from '#projections/accounts/account-pipelines/account-pipelines.projection.js';
import { monitoringWork } from '#projections/monitoring/monitoring-work/monitoring-work.projection.js';
import {
  startEventStoreDbServer,
  type EventStoreDbServer,
} from '#test/servers/eventstoredb/eventstoredb-server.js';
import { employed, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { seededRandom } from '#test/support/seeded-random.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { shownInParts } from '#test/support/shown-in-parts.js';

/** `npm run soak -- delays` asks for 200 of them, from any first one on. */
const SEEDS = Number(process.env['DELAY_SEEDS'] ?? '10');
const FIRST_SEED = Number(process.env['DELAY_FIRST_SEED'] ?? '1');
const CALL_MS = 40;
const GAP_MS = 4;
const HANDLES = ['acme', 'globex', 'initech', 'umbrella'];
/** List prices: a month of an account; the launch of a mapping and one profile. */
const MONTH = 5;

let server: EventStoreDbServer;
let service: TestService;
let random = seededRandom(FIRST_SEED);

/** Events come late and one by one, and what they change is shown document by document. */
beforeAll(async () => {
  server = await startEventStoreDbServer();
  service = await startTestService(
    { EVENT_STORE_URL: server.url, CURSOR_SECRET: 'a-secret-of-these-tests' },
    undefined,
    {
      async openStores(settings, options) {
        const stores = await openStores(settings, options);
        const reads = shownInParts(stores.reads, () => setTimeout(Math.floor(random() * GAP_MS)));
        return { ...stores, reads };
      },
    },
  );
  await service.ingest([
    ...HANDLES.map((handle) => observedCompany(handle)),
    ...HANDLES.map((handle) =>
      observedPerson(`${handle}-lead`, {
        ...employed(handle, 'Head of Sales'),
        geo: { city: 'Paris', country: 'France', country_code: 'FR' },
      }),
    ),
  ]);
});
afterAll(async () => {
  await service.stop();
  server.stop();
});

/** Seeded choices of a test, apart from those of the stores: the same steps, whatever comes late. */
type Steps = { readonly pause: () => Promise<unknown>; readonly before: (most: number) => number };

function begin(seed: number): Steps {
  random = seededRandom(seed);
  server.faults.delays = { seed, callMs: CALL_MS, gapMs: GAP_MS };
  const own = seededRandom(seed + 1_000_003);
  const before = (most: number): number => Math.floor(own() * most);
  return { before, pause: () => setTimeout(before(6 * CALL_MS)) };
}

/** All that is due is done, as fast as the stores can. */
async function settled(): Promise<void> {
  server.faults.delays = null;
  await service.ops('work.drain');
}

async function house(creditsGranted: number) {
  server.faults.delays = null;
  const workspace = await service.workspace({ credits: creditsGranted });
  const persona = { job_title: ['Sales'], location: ['France'] };
  const { body } = await workspace.call('POST /api/v2/personas', persona);
  await service.ops('workspace.features', { workspace_id: workspace.id, account_mapping: true });
  return { ...workspace, personaId: Number(body.data.id) };
}

async function listOf(workspace: TestWorkspace, handles: readonly string[]): Promise<string> {
  const { body } = await workspace.call('POST /api/v2/lists', { type: 'customer', name: 'Key' });
  const members = handles.map((network_handle) => ({ network_handle }));
  await workspace.call(`POST /api/v2/lists/company/${body.data.id}/members`, { members });
  return `lists/company/${body.data.id}`;
}

const monitor = (workspace: TestWorkspace, path: string, buckets: unknown = ['essential']) =>
  workspace.call(`PUT /api/v3/${path}`, { signal_buckets: buckets });
const grant = (workspace: TestWorkspace, amount: number) =>
  service.ops('credits.grant', { workspace_id: workspace.id, credits: amount, reason: 'test' });

/** What was captured, oldest first: the product and what it is about. */
async function captured(workspace: TestWorkspace): Promise<readonly string[]> {
  const paid: string[] = [];
  const about = new Map<string, string>();
  for await (const batch of service.service.host.eventStore.readStream(`credits-${workspace.id}`)) {
    for (const { type, data } of batch) {
      const key = String(data['key']);
      const cause = data['cause'] as { readonly companyId?: number } | undefined;
      if (type === 'CreditsHeld') about.set(key, `${String(data['product'])} ${cause?.companyId}`);
      if (type === 'CreditsCaptured') paid.push(about.get(key) ?? key);
    }
  }
  return paid;
}

/** Nothing is open that is never due. */
async function expectNothingForgotten({ id: workspaceId }: TestWorkspace): Promise<void> {
  const { readModels } = service.service.host;
  const where = { workspaceId };
  const [pipelines] = await readModels.find(accountPipelines, { where });
  if (pipelines !== undefined && pipelines.open > 0) expect(pipelines.dueAt).not.toBeNull();
  const [work] = await readModels.find(monitoringWork, { where });
  const { body } = await service.ops('monitoring.verify', { workspace_id: workspaceId });
  expect(body).toMatchObject({ ok: true });
  if (work !== undefined) expect(work).toMatchObject({ isChanged: false });
}

type Scenario = {
  readonly rule: string;
  readonly title: string;
  readonly play: (steps: Steps) => Promise<void>;
};

const SCENARIOS: readonly Scenario[] = [
  {
    rule: 'MON-63',
    title: 'nothing is charged after the answer to a stop',
    async play({ pause, before }) {
      const workspace = await house(100);
      const path = await listOf(workspace, HANDLES);
      const starting = begun(() => monitor(workspace, path));
      await pause();
      const stops = [
        () => monitor(workspace, path, null),
        () => workspace.call(`PUT /api/v2/${path}`, { archived: true }),
        () => workspace.call(`DELETE /api/v2/${path}`),
        () => service.ops('workspace.block', { workspace_id: workspace.id, reason: 'unpaid' }),
      ];
      const stop = stops[before(stops.length)];
      const { status } = (await stop?.()) ?? {};
      expect([200, 204]).toContain(status);
      const paid = await captured(workspace);
      await starting;
      await settled();
      expect(await captured(workspace)).toEqual(paid);
    },
  },
  {
    rule: 'OP-27',
    title: 'a balance for some pays the first by company, and a grant the rest at once',
    async play({ pause }) {
      const workspace = await house(2 * MONTH);
      const path = await listOf(workspace, HANDLES.toReversed());
      const starting = begun(() => monitor(workspace, path));
      await starting;
      await settled();
      const first = await captured(workspace);
      expect(first).toHaveLength(2);
      const granting = begun(() => grant(workspace, MONTH));
      await pause();
      await grant(workspace, MONTH);
      await granting;
      await settled();
      const paid = await captured(workspace);
      expect(paid).toHaveLength(HANDLES.length);
      expect(paid).toEqual(paid.toSorted(byCompany));
      await expectNothingForgotten(workspace);
    },
  },
  {
    rule: 'OP-52',
    title: 'top accounts are mapped in their order, whatever is granted, blocked and switched meanwhile',
    async play({ pause, before }) {
      const workspace = await house(1);
      const accounts = HANDLES.map((handle) => ({
        network_url: `https://www.network.example/company/${handle}`,
      }));
      const submitting = begun(() => workspace.call('POST /api/v2/top-account-list/accounts', { accounts }));
      for (let step = 0; step < 4; step += 1) {
        await pause();
        await grant(workspace, before(4) + 1);
        if (before(2) === 0) continue;
        const named = { workspace_id: workspace.id };
        await service.ops('workspace.block', { ...named, reason: 'unpaid' });
        await service.ops('workspace.features', { ...named, account_mapping: false });
        await pause();
        await service.ops('workspace.unblock', { ...named, reason: 'paid' });
        await service.ops('workspace.features', { ...named, account_mapping: true });
      }
      await grant(workspace, 20);
      expect((await submitting).status).toBe(202);
      await settled();
      const { body } = await workspace.call('GET /api/v2/top-account-list/ingestion-status');
      expect(body.data).toMatchObject({ status: 'idle', pending: 0, found: HANDLES.length });
      const launched = (await captured(workspace)).filter((paid) => paid.startsWith('account_mapping'));
      expect(new Set(launched).size).toBe(HANDLES.length);
      await expectNothingForgotten(workspace);
    },
  },
];

/** Begun with this step: what else happens is not waited for. */
const begun = <Result>(step: () => Promise<Result>): Promise<Result> => step();

const byCompany = (left: string, right: string): number =>
  Number(left.split(' ')[1]) - Number(right.split(' ')[1]);

describe.each(SCENARIOS)('$rule with stores that answer late: $title', ({ play }) => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    it(`seed ${seed}`, () => play(begin(seed)));
  }
});
