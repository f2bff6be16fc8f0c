import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { heldCalls, includesType } from '#test/support/held-calls.js';
import { addTo } from '#test/support/list-agents.js';
import { scene, type SceneList, type SceneWorkspace } from '#test/support/scene.js';
import { startTestService, type Answer, type TestService } from '#test/support/service.js';
import { shownInParts } from '#test/support/shown-in-parts.js';

const PRICE = 5;
const PAGE = 100;
const MEMBERS_OF_A_CALL = 100;
const ACCOUNTS = 'GET /api/v3/top-account-list/accounts';
/** Calls of the process that pays, and those of another process. */
const held = heldCalls();
const heldThere = heldCalls();
/** Another process on the same stores, which only serves requests. */
let other: TestService;
/** While true, one write of the read models is shown document by document. */
let isShownInParts = false;

// Registered first, so that it stops before the service whose stores it uses.
afterAll(() => other.service.stop());
const service = scene({
  outside: {
    async openStores(settings, options) {
      const stores = await held.outside.openStores(settings, options);
      const parts = shownInParts(stores.reads, () => Promise.resolve());
      const write: ReadStore['write'] = (...asked) => (isShownInParts ? parts : stores.reads).write(...asked);
      const reads = new Proxy(stores.reads, {
        get: (target, name) => (name === 'write' ? write : Reflect.get(target, name, target)),
      });
      return { ...stores, reads };
    },
  },
  async prepare({ dataDirectory, ops }) {
    other = await startTestService({ ROLES: 'api' }, dataDirectory, heldThere.outside);
    await ops('prices.set', { item: 'bucket:essential', credits: PRICE });
  },
});
// Also if a case fails: held calls would prevent the service from stopping.
afterEach(() => {
  isShownInParts = false;
  held.release();
  heldThere.release();
});

type House = {
  readonly workspace: SceneWorkspace;
  readonly accounts: readonly Account[];
  /** A list of the same companies, which is not monitored yet. */
  readonly list: SceneList;
};
type Account = { readonly id: number; readonly companyId: number };

/** A workspace with this many top accounts, by company, and credits for the months of some of them. */
async function house(count: number, paid: number): Promise<House> {
  const workspace = await service.workspace({ credits: paid * PRICE });
  await workspace.persona();
  const handles = Array.from({ length: count }, (_, index) => `of-${workspace.id}-${index}`);
  await workspace.topAccounts(...handles);
  const accounts: Account[] = [];
  for (let page = 1; accounts.length < count; page += 1) {
    for (const { id, company_id } of await workspace.data(`${ACCOUNTS}?page_size=${PAGE}&page=${page}`))
      accounts.push({ id, companyId: company_id });
  }
  const list = await workspace.list('customer');
  const members = handles.toReversed();
  for (let from = 0; from < count; from += MEMBERS_OF_A_CALL)
    await addTo(workspace, 'company', list.id, members.slice(from, from + MEMBERS_OF_A_CALL));
  await service.drain();
  return { workspace, accounts: accounts.sort((left, right) => left.companyId - right.companyId), list };
}

/** A request that monitors all accounts of a workspace, in the reverse of the order of payment. */
type Start = (process: TestService, of: House) => Promise<Answer>;
const pickInReverse: Start = ({ call }, { workspace, accounts }) =>
  call(
    'PUT /api/v3/top-account-list/accounts/signal-buckets',
    { account_ids: accounts.map(({ id }) => id).toReversed(), signal_buckets: ['essential'] },
    { authorization: `Bearer ${workspace.apiKey}` },
  );
const monitorList: Start = ({ call }, { workspace, list }) =>
  call(
    `PUT /api/v3/${list.path}`,
    { signal_buckets: ['essential'] },
    { authorization: `Bearer ${workspace.apiKey}` },
  );
const STARTS = [
  ['picks', pickInReverse],
  ['members of a list', monitorList],
] as const;
const PROCESSES = [
  ['the process that pays', () => service],
  ['another process', () => other],
] as const;
const CASES = STARTS.flatMap(([what, start]) =>
  PROCESSES.map(([where, asked]) => ({ what, where, start, asked })),
);

/** Companies with a paid month, in the order of the ledger. */
async function paidCompanies({ workspace }: House): Promise<readonly number[]> {
  return (await service.stream(`credits-${workspace.id}`))
    .filter(({ type }) => type === 'CreditsHeld')
    .map(({ data }) => Number((data['cause'] as { companyId: number }).companyId));
}
/** The distinct times from which accounts are requested. */
async function timesWanted({ workspace, accounts }: House): Promise<readonly string[]> {
  const times = new Set<string>();
  for (const { companyId } of accounts) {
    for (const { type, data } of await service.stream(`monitoring-${workspace.id}_${companyId}`))
      if (type === 'MonitoringWanted') times.add(String(data['wantedAt']));
  }
  return [...times];
}
const firstOf = ({ accounts }: House, count: number): readonly number[] =>
  accounts.slice(0, count).map(({ companyId }) => companyId);
/** An account of the workspace is about to be requested. */
const isWish =
  (of: House) =>
  (method: string, [stream]: readonly unknown[]): boolean =>
    method === 'append' && String(stream).startsWith(`monitoring-${of.workspace.id}_`);
const isAppendOf =
  (type: string) =>
  (method: string, [, , events]: readonly unknown[]): boolean =>
    method === 'append' && includesType(events, type);
/** The first request: that for the company that is paid first. */
const isFirstWish =
  (of: House) =>
  (method: string, [stream]: readonly unknown[]): boolean =>
    method === 'append' && stream === `monitoring-${of.workspace.id}_${firstOf(of, 1)[0]}`;

it.each(CASES)(
  'OP-27 nothing is paid of $what that begin together in $where before all of them are requested',
  async ({ start, asked }) => {
    const of = await house(6, 3);
    held.hold(isFirstWish(of));
    heldThere.hold(isFirstWish(of));
    const started = start(asked(), of);
    await soon('a wish to hold', Promise.race([held.reached(), heldThere.reached()]));
    // A worker sees the other five meanwhile, and retries.
    for (let looks = 0; looks < 150 && (await paidCompanies(of)).length === 0; looks += 1)
      await of.workspace.call(ACCOUNTS);
    expect(await paidCompanies(of)).toEqual([]);
    held.release();
    heldThere.release();
    expect((await started).status).toBe(200);
    await service.drain();
    expect(await paidCompanies(of)).toEqual(firstOf(of, 3));
    expect(await timesWanted(of)).toHaveLength(1);
  },
);

it.each(STARTS)(
  'OP-27 %s that another process completes for a request have one time, and are paid by company',
  async (_, start) => {
    const of = await house(6, 3);
    heldThere.hold(isFirstWish(of));
    held.hold(isWish(of));
    const started = start(other, of);
    await soon('the first wish of the request', heldThere.reached());
    // From here on the process that follows lists and picks continues alone: the request may have been killed.
    held.release();
    await soon(
      'months of the other process',
      eventually(async () => (await paidCompanies(of)).length >= 3),
    );
    heldThere.release();
    expect((await started).status).toBe(200);
    await service.drain();
    expect(await paidCompanies(of)).toEqual(firstOf(of, 3));
    expect(await timesWanted(of)).toHaveLength(1);
  },
);

it.each(STARTS)(
  'OP-28 USE-24 a request that begins %s is answered after the months are paid, also if a process began the same ones',
  async (_, start) => {
    const of = await house(6, 3);
    heldThere.hold(isAppendOf('MonitoringBegins'));
    // Until the request begins: a process that was faster would leave it nothing to begin.
    held.hold(isAppendOf('MonitoringBegins'));
    const started = start(other, of);
    await soon('the beginning of the request', heldThere.reached());
    held.release();
    held.hold(isAppendOf('MonitoringBegun'));
    // The process that follows lists and picks has requested all accounts, and not yet said so.
    await soon('the end of a beginning of the process', held.reached());
    let looks = 0;
    heldThere.release();
    heldThere.hold((method, [view]) => {
      const isLook = method === 'find' && (view as { readonly name?: unknown }).name === monitoredUnits.name;
      looks += isLook ? 1 : 0;
      return isLook && looks > 2;
    });
    await soon('a look for months that wait, or the answer', Promise.race([heldThere.reached(), started]));
    held.release();
    heldThere.release();
    const { status, headers } = await started;
    expect([status, headers.get('credits-charged'), headers.get('credits-remaining')]).toEqual([
      200,
      String(3 * PRICE),
      '0',
    ]);
    expect(await paidCompanies(of)).toEqual(firstOf(of, 3));
  },
);

// More than one piece of work: they are requested 250 at a time.
it.each([
  { what: 'picks', where: 'the process that pays', start: pickInReverse, asked: () => service },
  { what: 'members of a list', where: 'another process', start: monitorList, asked: () => other },
])(
  'OP-27 a balance covers the first by company, for any order and number of $what in a request of $where',
  async ({ start, asked }) => {
    const of = await house(260, 130);
    expect((await start(asked(), of)).status).toBe(200);
    await service.drain();
    expect(await paidCompanies(of)).toEqual(firstOf(of, 130));
    expect(await timesWanted(of)).toHaveLength(1);
  },
);

it.each(CASES)(
  'OP-27 a request of $where with late read models pays none of $what that it has not read completely; a worker pays the first by company later',
  async ({ start, asked }) => {
    const of = await house(6, 3);
    isShownInParts = true;
    let shown = 0;
    held.hold((method, [writes]) => {
      if (method !== 'write' || !isOfUnits(writes, of.workspace.id)) return false;
      shown += 1;
      return shown > 3;
    });
    const started = start(asked(), of);
    await soon('accounts to hold', held.reached());
    expect((await started).status).toBe(200);
    expect(await timesWanted(of)).toHaveLength(1);
    expect(await paidCompanies(of)).toEqual([]);
    held.release();
    await service.drain();
    expect(await paidCompanies(of)).toEqual(firstOf(of, 3));
  },
);

/** Whether a write of read models shows monitored accounts of a workspace. */
function isOfUnits(writes: unknown, workspaceId: number): boolean {
  return (writes as Parameters<ReadStore['write']>[0]).some(
    ({ generation, documents }) =>
      generation.view.name === monitoredUnits.name &&
      documents.some(({ key }) => key.startsWith(`${workspaceId}_`)),
  );
}
