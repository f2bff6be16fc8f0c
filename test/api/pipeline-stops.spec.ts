import { soon } from '#test/support/event-stores.js';
import { heldCalls, isPriceAfter } from '#test/support/held-calls.js';
import { employed, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import { startTestService, type Answer, type TestService } from '#test/support/service.js';

const held = heldCalls();
/** Another process on the same stores. */
let other: TestService;

// Registered first, so that it stops before the service whose stores it uses.
afterAll(() => other.service.stop());
const service = scene({
  outside: held.outside,
  network: [
    observedCompany('acme'),
    observedPerson('ana', {
      ...employed('acme', 'Head of Sales'),
      geo: { city: 'Paris', country: 'France', country_code: 'FR' },
    }),
  ],
  async prepare({ dataDirectory }) {
    other = await startTestService({ ROLES: 'api' }, dataDirectory);
  },
});
afterEach(async () => {
  held.release();
  // Work that one case leaves would be held by the next case.
  await service.drain();
});

async function selling(): Promise<SceneWorkspace> {
  const workspace = await service.workspace({ credits: 100 });
  await workspace.persona({ job_title: ['Sales'], location: ['France'] });
  return workspace;
}

/** Products of holds, in the order in which they were written. */
const entriesOf = async ({ id }: SceneWorkspace): Promise<readonly string[]> =>
  (await service.stream(`credits-${id}`))
    .filter(({ type }) => type === 'CreditsHeld')
    .map(({ data }) => String(data['product']));

type Stop = (process: TestService, workspace: SceneWorkspace) => Promise<Answer>;

const block: Stop = ({ ops }, { id }) => ops('workspace.block', { workspace_id: id, reason: 'unpaid' });
const unblock = ({ command }: SceneWorkspace) => command('workspace.unblock', { reason: 'paid' });

async function topAccount(workspace: SceneWorkspace) {
  const [account] = await workspace.data('GET /api/v3/top-account-list/accounts');
  return { accountId: Number(account.id), companyId: Number(account.company_id) };
}

const STOPS: readonly (readonly [string, Stop])[] = [
  [
    'its pipeline is switched off for the company',
    async ({ call }, workspace) => {
      const { companyId } = await topAccount(workspace);
      const pipeline_configs = [{ pipeline_type: 'account_mapping', configuration: 'disabled' }];
      const headers = { authorization: `Bearer ${workspace.apiKey}` };
      return call(`PUT /api/v2/companies/${companyId}/pipeline-configs`, { pipeline_configs }, headers);
    },
  ],
  [
    'its pipeline is switched off for the workspace',
    ({ ops }, { id }) => ops('workspace.features', { workspace_id: id, account_mapping: false }),
  ],
  ['its workspace is blocked', block],
  [
    'its account is taken off the list',
    async ({ ops }, workspace) => {
      const { accountId } = await topAccount(workspace);
      return ops('topaccount.remove', { workspace_id: workspace.id, account_id: accountId });
    },
  ],
];
const PROCESSES = [
  ['', () => service],
  [' in another process', () => other],
] as const;

describe.each(PROCESSES)('a stop right before a mapping is paid%s', (_, process) => {
  it.each(STOPS)(
    'MON-63 OP-52 the mapping of a top account is no longer charged once %s',
    async (_, stop) => {
      const workspace = await selling();
      held.hold(isPriceAfter('AccountRequestsPlanned'));
      const accounts = [{ network_url: 'https://www.network.example/company/acme' }];
      await workspace.call('POST /api/v2/top-account-list/accounts', { accounts });
      await soon('a mapping that is about to be paid', held.reached());
      expect((await stop(process(), workspace)).status).toBe(200);
      held.release();
      await service.drain();
      expect(await entriesOf(workspace)).toEqual([]);
    },
  );

  it('MON-63 OP-56 a launch is refused once its workspace is blocked, and nothing is held or launched', async () => {
    const workspace = await selling();
    held.hold((method, [stream]) => method === 'append' && String(stream).startsWith('mappingDay-'));
    const launching = workspace.call('POST /api/v2/enrich-company-mapping', { network_handle: 'acme' });
    await soon('a launch that is about to be reserved', held.reached());
    expect((await block(process(), workspace)).status).toBe(200);
    held.release();
    expect((await launching).status).toBe(403);
    await service.drain();
    expect(await entriesOf(workspace)).toEqual([]);
    await unblock(workspace);
    const again = await workspace.call('POST /api/v2/enrich-company-mapping', { network_handle: 'acme' });
    expect(again.body.launches).toMatchObject([{ status: 'launched' }]);
  });

  it('MON-63 OP-58 no person is analysed once the workspace is blocked; after the block the mapping continues', async () => {
    const workspace = await selling();
    held.hold(isPriceAfter('StageEntered'));
    const { body } = await workspace.call('POST /api/v2/enrich-company-mapping', { network_handle: 'acme' });
    await soon('an analysis that is about to be paid', held.reached());
    const before = await entriesOf(workspace);
    expect((await block(process(), workspace)).status).toBe(200);
    held.release();
    await service.drain();
    expect(await entriesOf(workspace)).toEqual(before);
    await unblock(workspace);
    await service.drain();
    expect(await entriesOf(workspace)).toHaveLength(before.length + 1);
    const stage = await workspace.call(`GET /api/v2/account-mapping/${body.request_id}/stage`);
    expect(stage.body).toMatchObject({ stage: 'completed' });
  });
});
