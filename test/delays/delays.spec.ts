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

/** `npm run soak -- delays` runs 200 of them, from a chosen first one on. */
const SEEDS = Number(process.env['DELAY_SEEDS'] ?? '2');
const FIRST_SEED = Number(process.env['DELAY_FIRST_SEED'] ?? '1');
const CALL_MS = 40;
const GAP_MS = 4;
const HANDLES = ['acme', 'globex', 'initech', 'umbrella'];
/** List prices: a month of an account; the launch of a mapping and one profile. */
const MONTH = 5;

let server: EventStoreDbServer;
let service: TestService;
let random = seededRandom(FIRST_SEED);

/** Events arrive late and one by one, and the changes of the read models become visible document by document. */
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

/** Seeded choices of a test, separate from those of the stores: the same steps for any delays. */
type Steps = { readonly pause: () => Promise<unknown>; readonly before: (most: number) => number };

function begin(seed: number): Steps {
  random = seededRandom(seed);
  server.faults.delays = { seed, callMs: CALL_MS, gapMs: GAP_MS };
  const own = seededRandom(seed + 1_000_003);
  const before = (most: number): number => Math.floor(own() * most);
  return { before, pause: () => setTimeout(before(6 * CALL_MS)) };
}

/** Processes all due work, as fast as the stores allow. */
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

/** A charge: its text, and the company by the order in which the workspace first used it. */
type Charge = { readonly movementId: number; readonly text: string; readonly companyId: number };

/** Movements that were held and not released, in the order of the ledger. */
async function charged(workspace: TestWorkspace): Promise<readonly Charge[]> {
  const held = new Map<number, Charge>();
  for await (const batch of service.service.host.eventStore.readStream(`credits-${workspace.id}`)) {
    for (const { type, data } of batch) {
      const movementId = Number(data['movementId']);
      if (type === 'CreditsReleased') held.delete(movementId);
      if (type !== 'CreditsHeld') continue;
      const { companyId = 0, subject = '' } = data['cause'] as Partial<{
        companyId: number;
        subject: string;
      }>;
      held.set(movementId, { movementId, companyId, text: `${String(data['product'])} ${subject}`.trim() });
    }
  }
  return [...held.values()];
}

/** Charges without ids that differ between workspaces: the first company is 1. */
function comparable(charges: readonly Charge[]): readonly string[] {
  const companyIds = [...new Set(charges.map(({ companyId }) => companyId))].sort((one, next) => one - next);
  return charges.map(({ companyId, text }) => `${companyIds.indexOf(companyId) + 1} ${text}`);
}
const captured = async (workspace: TestWorkspace): Promise<readonly string[]> =>
  (await charged(workspace)).map(({ companyId, text }) => `${text} ${companyId}`);

/** No open work is without a due time. */
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
  /** Returns the final charges: equal for every seed, and in the same order unless they are sorted. */
  readonly play: (steps: Steps) => Promise<readonly string[]>;
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
      const headers = { workspace_id: workspace.id };
      const stops = [
        [() => monitor(workspace, path, null), () => monitor(workspace, path)],
        [
          () => workspace.call(`PUT /api/v2/${path}`, { archived: true }),
          () => workspace.call(`PUT /api/v2/${path}`, { archived: false }),
        ],
        [
          () => workspace.call(`DELETE /api/v2/${path}`),
          () => workspace.call(`POST /api/v2/${path}/restore`),
        ],
        [() => block(workspace), () => unblock(workspace)],
        [
          () =>
            service.ops('persona.archive', { ...headers, persona_id: workspace.personaId, archived: true }),
          () =>
            service.ops('persona.archive', { ...headers, persona_id: workspace.personaId, archived: false }),
        ],
      ] as const;
      const [stop, takeBack] = stops[before(stops.length)] ?? stops[0];
      expect([200, 204]).toContain((await stop()).status);
      const paid = await captured(workspace);
      await starting;
      await settled();
      expect(await captured(workspace)).toEqual(paid);
      expect([200, 204]).toContain((await takeBack()).status);
      // The stop may have come before the start, which it then refused.
      expect((await monitor(workspace, path)).status).toBe(200);
      await settled();
      await expectNothingForgotten(workspace);
      return comparable(await charged(workspace));
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
      return comparable(await charged(workspace));
    },
  },
  {
    rule: 'OP-52',
    title: 'top accounts are mapped in their order, whatever is granted and blocked meanwhile',
    async play({ pause, before }) {
      const workspace = await house(1);
      const submitting = begun(() => submitAll(workspace));
      for (let step = 0; step < 4; step += 1) {
        await pause();
        await grant(workspace, before(4) + 1);
        if (before(2) === 0) continue;
        await block(workspace);
        const held = await captured(workspace);
        await pause();
        expect(await captured(workspace)).toEqual(held);
        await unblock(workspace);
      }
      await grant(workspace, 20);
      expect((await submitting).status).toBe(202);
      await settled();
      await expectAllMapped(workspace);
      return comparable(await charged(workspace));
    },
  },
  {
    rule: 'OP-52',
    title: 'top accounts are mapped once each, whatever is granted, blocked and switched meanwhile',
    async play({ pause, before }) {
      const workspace = await house(1);
      const named = { workspace_id: workspace.id };
      const submitting = begun(() => submitAll(workspace));
      for (let step = 0; step < 4; step += 1) {
        await pause();
        await grant(workspace, before(4) + 1);
        if (before(2) === 0) continue;
        await block(workspace);
        await service.ops('workspace.features', { ...named, account_mapping: false });
        await pause();
        await unblock(workspace);
        await service.ops('workspace.features', { ...named, account_mapping: true });
      }
      await grant(workspace, 20);
      expect((await submitting).status).toBe(202);
      await settled();
      await expectAllMapped(workspace);
      // A pipeline that was switched off need not complete.
      return comparable(await charged(workspace)).toSorted();
    },
  },
  {
    rule: 'OP-56',
    title: 'launches of a call are all made or none, and are analysed once, whatever is blocked meanwhile',
    async play({ pause, before }) {
      const workspace = await house(100);
      const persona = { job_title: ['Head'], location: ['France'] };
      await workspace.call('POST /api/v2/personas', persona);
      const enrich = (network_handle: string) =>
        workspace.call('POST /api/v2/enrich-company-mapping', { network_handle });
      const calls = HANDLES.map((handle) => begun(() => enrich(handle)));
      await pause();
      await block(workspace);
      const held = await captured(workspace);
      await pause();
      const answers = await Promise.all(calls);
      await settled();
      // Earlier charges stay, or are released.
      expect(held).toEqual(expect.arrayContaining([...(await captured(workspace))]));
      await unblock(workspace);
      for (const [index, { status, body }] of answers.entries()) {
        expect([202, 403, 409]).toContain(status);
        if (status === 202) expect(launchesOf(body)).toEqual(['launched', 'launched']);
        else await settled();
        const again = await enrich(HANDLES[index] ?? '');
        expect(launchesOf(again.body)).toEqual(
          status === 202 ? ['already_requested', 'already_requested'] : ['launched', 'launched'],
        );
        if (before(2) === 0) await pause();
      }
      await settled();
      // Companies are launched for in the order of arrival.
      return (await charged(workspace)).map(({ text }) => text).toSorted();
    },
  },
];

const launchesOf = (body: { readonly launches: readonly { readonly status: string }[] }): readonly string[] =>
  body.launches.map(({ status }) => status);

const block = ({ id }: TestWorkspace) =>
  service.ops('workspace.block', { workspace_id: id, reason: 'unpaid' });
const unblock = ({ id }: TestWorkspace) =>
  service.ops('workspace.unblock', { workspace_id: id, reason: 'paid' });

const submitAll = (workspace: TestWorkspace) =>
  workspace.call('POST /api/v2/top-account-list/accounts', {
    accounts: HANDLES.map((handle) => ({ network_url: `https://www.network.example/company/${handle}` })),
  });

async function expectAllMapped(workspace: TestWorkspace): Promise<void> {
  const { body } = await workspace.call('GET /api/v2/top-account-list/ingestion-status');
  expect(body.data).toMatchObject({ status: 'idle', pending: 0, found: HANDLES.length });
  await expectNothingForgotten(workspace);
}

/** Starts this step without waiting for others. */
const begun = <Result>(step: () => Promise<Result>): Promise<Result> => step();

const byCompany = (left: string, right: string): number =>
  Number(left.split(' ')[1]) - Number(right.split(' ')[1]);

describe.each(SCENARIOS)('$rule with stores that answer late: $title', ({ play }) => {
  let first: readonly string[] | null = null;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    it(`seed ${seed}`, async () => {
      const paid = await play(begin(seed));
      first ??= paid;
      expect(first.length).toBeGreaterThan(0);
      expect(paid).toEqual(first);
    });
  }
});
