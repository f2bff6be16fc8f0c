import type { NewEvent } from '#kernel/ports/event-store.port.js';
import { heldCalls } from '#test/support/held-calls.js';
import { observedCompany } from '#test/support/observed-network.js';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

const held = heldCalls();
const HANDLES = ['acme', 'globex', 'initech'];
let service: TestService;

beforeAll(async () => {
  service = await startTestService({}, undefined, held.outside);
  await service.ingest(HANDLES.map((handle) => observedCompany(handle)));
});
// Also where a case fails: what is held would keep the service from stopping.
afterEach(() => held.release());
afterAll(() => service.stop());

type House = {
  readonly workspace: TestWorkspace;
  readonly personaId: number;
  readonly path: string;
  readonly memberIds: readonly number[];
};

/** A workspace with a list of three companies that nobody monitors yet. */
async function house(): Promise<House> {
  const workspace = await service.workspace({ credits: 100 });
  const persona = { job_title: ['CTO'], location: ['France'], tag: 'Buyers' };
  const personaId = Number((await workspace.call('POST /api/v2/personas', persona)).body.data.id);
  const list = await workspace.call('POST /api/v2/lists', { type: 'customer', name: 'Key' });
  const path = `lists/company/${list.body.data.id}`;
  const members = HANDLES.map((network_handle) => ({ network_handle }));
  const { body } = await workspace.call(`POST /api/v2/${path}/members`, { members });
  const memberIds = body.data.map(({ id }: { id: number }) => id);
  await service.ops('work.drain');
  return { workspace, personaId, path, memberIds };
}
const monitor = ({ workspace, path }: House, buckets: unknown = ['essential']): Promise<Answer> =>
  workspace.call(`PUT /api/v3/${path}`, { signal_buckets: buckets });
const months = async ({ workspace }: House): Promise<number> =>
  (await workspace.call('GET /api/v3/usage?limit=100')).body.data.length;

/** The last wish of a request is about to be written: two of three accounts are wanted, none is paid. */
const isLastWish = () => {
  let wishes = 0;
  return (method: string, [, , events]: readonly unknown[]): boolean => {
    if (method !== 'append' || !isOf(events, 'MonitoringWanted')) return false;
    wishes += 1;
    return wishes >= HANDLES.length;
  };
};
const isOf = (events: unknown, type: string): events is readonly NewEvent[] =>
  Array.isArray(events) && (events as readonly NewEvent[]).some((event) => event.type === type);
/** What is wanted has been looked at, and the price of it is looked up: nothing is paid yet. */
const isPriceOfMonths = () => {
  let isWanted = false;
  return (method: string, parameters: readonly unknown[]): boolean => {
    if (method === 'append' && isOf(parameters[2], 'MonitoringWanted')) isWanted = true;
    const [view] = parameters;
    const isPrice =
      typeof view === 'object' && view !== null && 'name' in view && view.name === 'list-prices';
    return isWanted && method === 'get' && isPrice;
  };
};

const STOPS: readonly (readonly [string, number, (house: House) => Promise<Answer>])[] = [
  ['its list is switched off', 0, (of) => monitor(of, null)],
  [
    'its list is archived',
    0,
    ({ workspace, path }) => workspace.call(`PUT /api/v2/${path}`, { archived: true }),
  ],
  ['its list is deleted', 0, ({ workspace, path }) => workspace.call(`DELETE /api/v2/${path}`)],
  [
    'its member is removed',
    2,
    ({ workspace, path, memberIds }) => workspace.call(`DELETE /api/v2/${path}/members/${memberIds[1]}`),
  ],
  [
    'its member is unfollowed',
    2,
    ({ workspace, path, memberIds }) =>
      workspace.call(`PATCH /api/v2/${path}/members/${memberIds[1]}/tracking-status`, {
        tracking_status: 'unfollowed',
      }),
  ],
  [
    'its business unit is archived',
    0,
    ({ workspace, personaId }) =>
      service.ops('persona.archive', { workspace_id: workspace.id, persona_id: personaId, archived: true }),
  ],
  [
    'its workspace is blocked',
    0,
    ({ workspace }) => service.ops('workspace.block', { workspace_id: workspace.id, reason: 'unpaid' }),
  ],
];

const MOMENTS = [
  ['while the request still writes what is wanted', isLastWish],
  ['between a look at what is wanted and its payment', isPriceOfMonths],
] as const;

for (const [moment, isMeant] of MOMENTS) {
  describe(`a stop ${moment}`, () => {
    it.each(STOPS)('MON-63 an account is charged no more once %s', async (_, paid, stop) => {
      const of = await house();
      held.hold(isMeant());
      const started = monitor(of);
      await held.reached();
      const { status } = await stop(of);
      expect([200, 204]).toContain(status);
      held.release();
      await started;
      await service.ops('work.drain');
      const unblocked = { workspace_id: of.workspace.id };
      expect(await months(of)).toBe(paid);
      const { body } = await service.ops('monitoring.verify', unblocked);
      expect(body).toMatchObject({ ok: true });
    });
  });
}
