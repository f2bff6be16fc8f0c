import { openStores } from '#runtime/stores.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { heldCalls, includesType, isPriceAfter } from '#test/support/held-calls.js';
import { observedCompany } from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import { startTestService, type Answer, type TestService } from '#test/support/service.js';
import { foundTopAccount } from '#test/support/top-accounts.js';

const held = heldCalls();
const HANDLES = ['acme', 'globex', 'initech'];
/** Another process on the same stores. It cannot write `ChargesStopped` while it is being killed. */
let other: TestService;
let isDying = false;

// Registered first, so that it stops before the service whose stores it uses.
afterAll(() => other.service.stop());
/** The process that pays; its calls are held. */
const service = scene({
  outside: held.outside,
  network: HANDLES.map((handle) => observedCompany(handle)),
  async prepare({ dataDirectory }) {
    other = await startTestService({ ROLES: 'api' }, dataDirectory, {
      async openStores(settings, options) {
        const stores = await openStores(settings, options);
        const append: typeof stores.events.append = (stream, expected, events) => {
          if (isDying && includesType(events, 'ChargesStopped')) throw new Error('the process was killed');
          return stores.events.append(stream, expected, events);
        };
        const events = new Proxy(stores.events, {
          get: (target, name) => (name === 'append' ? append : Reflect.get(target, name, target)),
        });
        return { ...stores, events };
      },
    });
  },
});
// Also if a case fails: held calls would prevent the service from stopping.
afterEach(() => {
  isDying = false;
  held.release();
});

type House = {
  readonly workspace: SceneWorkspace;
  readonly personaId: number;
  readonly otherPersonaId: number;
  readonly path: string;
  readonly memberIds: readonly number[];
  readonly accountIds: readonly number[];
};

/** A workspace with a list of three companies, which are also its top accounts; none is monitored yet. */
async function house(): Promise<House> {
  const workspace = await service.workspace({ credits: 100 });
  const persona = (tag: string): Promise<number> =>
    workspace.persona({ job_title: ['CTO'], location: ['France'], tag });
  const [personaId, otherPersonaId] = [await persona('Buyers'), await persona('Others')];
  const { path, memberIds } = await workspace.list('customer', HANDLES, { persona_ids: [personaId] });
  const accountIds: number[] = [];
  for (const handle of HANDLES)
    accountIds.push((await foundTopAccount(service, workspace, handle)).accountId);
  await service.drain();
  return { workspace, personaId, otherPersonaId, path, memberIds, accountIds };
}

/** How a stop is requested, and from which process. */
type Through = (process: TestService) => {
  readonly call: (of: House, route: string, body?: unknown) => Promise<Answer>;
  readonly ops: TestService['ops'];
};
const through: Through = ({ call, ops }) => ({
  ops,
  call: ({ workspace }, route, body) => call(route, body, { authorization: `Bearer ${workspace.apiKey}` }),
});
type Door = ReturnType<Through>;

const ESSENTIAL = ['essential'];
const monitorList = (door: Door, of: House, buckets: unknown = ESSENTIAL): Promise<Answer> =>
  door.call(of, `PUT /api/v3/${of.path}`, { signal_buckets: buckets });
const pick = (door: Door, of: House, accountIds = of.accountIds, buckets: unknown = ESSENTIAL) =>
  door.call(of, 'PUT /api/v3/top-account-list/accounts/signal-buckets', {
    account_ids: accountIds,
    persona_id: of.personaId,
    signal_buckets: buckets,
  });

/** The events of the ledger. */
const entries = ({ workspace }: House) => service.stream(`credits-${workspace.id}`);
/** Months that were paid for the stopped business unit. */
async function months(of: House): Promise<number> {
  return (await entries(of)).filter(({ type, data }) => {
    const cause = data['cause'] as { readonly personaId?: number } | undefined;
    return type === 'CreditsHeld' && cause?.personaId === of.personaId;
  }).length;
}
/**
 * Resolves when the stop is answered, or has its entry in the ledger and waits for held calls. Fails if neither
 * happens.
 */
async function answeredOrEntered(of: House, stopping: Promise<Answer>): Promise<void> {
  let isAnswered = false;
  const answered = stopping.then(() => {
    isAnswered = true;
  });
  const hasEntry = async (): Promise<boolean> =>
    isAnswered || (await entries(of)).some(({ type }) => type === 'ChargesStopped');
  await Promise.race([answered, eventually(hasEntry)]);
}

/** The last account of a request is about to be requested: two of three are, none is paid. */
const isLastWish = () => {
  let wishes = 0;
  return (method: string, [, , events]: readonly unknown[]): boolean => {
    if (method !== 'append' || !includesType(events, 'MonitoringWanted')) return false;
    wishes += 1;
    return wishes >= HANDLES.length;
  };
};
/** The requests have been read, and the price is being looked up. */
const isPriceOfMonths = () => isPriceAfter('MonitoringWanted');

type StopCase = {
  readonly once: string;
  readonly start: (door: Door, of: House) => Promise<Answer>;
  readonly stop: (door: Door, of: House) => Promise<Answer>;
  /** How many of the three accounts are paid all the same. */
  readonly paid: number;
};

const LIST_STOPS: readonly Omit<StopCase, 'start'>[] = [
  { once: 'its list is switched off', stop: (door, of) => monitorList(door, of, null), paid: 0 },
  {
    once: 'its list is archived',
    stop: (door, of) => door.call(of, `PUT /api/v2/${of.path}`, { archived: true }),
    paid: 0,
  },
  {
    once: 'its list is deleted',
    stop: (door, of) => door.call(of, `DELETE /api/v2/${of.path}`),
    paid: 0,
  },
  {
    once: 'its list is for another business unit',
    stop: (door, of) => door.call(of, `PUT /api/v2/${of.path}`, { persona_ids: [of.otherPersonaId] }),
    paid: 0,
  },
  {
    once: 'its member is removed',
    stop: (door, of) => door.call(of, `DELETE /api/v2/${of.path}/members/${of.memberIds[1]}`),
    paid: 2,
  },
  {
    once: 'its member is unfollowed',
    stop: (door, of) =>
      door.call(of, `PATCH /api/v2/${of.path}/members/${of.memberIds[1]}/tracking-status`, {
        tracking_status: 'unfollowed',
      }),
    paid: 2,
  },
  {
    once: 'its member is switched off',
    stop: (door, of) =>
      door.call(of, `PATCH /api/v3/${of.path}/members/${of.memberIds[1]}/signal-buckets`, {
        signal_buckets: null,
      }),
    paid: 2,
  },
  {
    once: 'its business unit is archived',
    stop: ({ ops }, { workspace, personaId }) =>
      ops('persona.archive', { workspace_id: workspace.id, persona_id: personaId, archived: true }),
    paid: 0,
  },
  {
    once: 'its workspace is blocked',
    stop: ({ ops }, { workspace }) =>
      ops('workspace.block', { workspace_id: workspace.id, reason: 'unpaid' }),
    paid: 0,
  },
];
const PICK_STOPS: readonly Omit<StopCase, 'start'>[] = [
  {
    once: 'its pick is taken back',
    stop: (door, of) => pick(door, of, of.accountIds.slice(1, 2), null),
    paid: 2,
  },
  {
    once: 'its top account is removed',
    stop: ({ ops }, { workspace, accountIds }) =>
      ops('topaccount.remove', { workspace_id: workspace.id, account_id: accountIds[1] }),
    paid: 2,
  },
];
const STOPS: readonly StopCase[] = [
  ...LIST_STOPS.map((each) => ({ ...each, start: (door: Door, of: House) => monitorList(door, of) })),
  ...PICK_STOPS.map((each) => ({ ...each, start: (door: Door, of: House) => pick(door, of) })),
];

const MOMENTS = [
  ['while the request still writes what is wanted', isLastWish],
  ['between a look at what is wanted and its payment', isPriceOfMonths],
] as const;

const ANSWERED = [200, 204];
/** The ways of a stop to its answer, and the expected statuses. */
const WAYS = [
  ['', async (stop: (door: Door) => Promise<Answer>) => stop(through(service)), ANSWERED],
  [' in another process', async (stop: (door: Door) => Promise<Answer>) => stop(through(other)), ANSWERED],
  [
    ', sent again to another process after the first was killed between its two entries',
    async (stop: (door: Door) => Promise<Answer>) => {
      isDying = true;
      const { status } = await stop(through(other));
      expect(status).toBe(500);
      return stop(through(service));
    },
    // A deleted object is not found.
    [...ANSWERED, 404],
  ],
] as const;

for (const [moment, isMeant] of MOMENTS) {
  // A request that is still writing reads the requests again before it pays, in any case.
  const ways = isMeant === isPriceOfMonths ? WAYS : WAYS.slice(0, 2);
  for (const [way, answered, statuses] of ways) {
    describe(`a stop ${moment}${way}`, () => {
      it.each(STOPS)('MON-63 an account is no longer charged once $once', async ({ start, stop, paid }) => {
        const of = await house();
        held.hold(isMeant());
        const started = start(through(service), of);
        await soon('a call to hold', held.reached());
        const stopping = answered((door) => stop(door, of));
        await answeredOrEntered(of, stopping);
        held.release();
        expect(statuses).toContain((await stopping).status);
        await started;
        await service.drain();
        expect(await months(of)).toBe(paid);
        expect(await of.workspace.command('monitoring.verify')).toMatchObject({ ok: true });
      });
    });
  }
}
