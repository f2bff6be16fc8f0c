import { countKeyAccounts } from '#apps/api/src/signals/signal-setups/key-accounts.js';
import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { Query, ReadModels, ReadStore, ViewOf } from '#kernel/ports/read-store.port.js';
import type { JsonValue } from '#kernel/values/json.js';
import { companies } from '#projections/identities/companies/companies.projection.js';
import { listedCompanies } from '#projections/lists/listed-companies/listed-companies.projection.js';
import { listKey, lists } from '#projections/lists/lists/lists.projection.js';
import { reachedCompanies } from '#projections/signals/reached-companies/reached-companies.projection.js';
import { sampleCompanyFacts, sampleDetection } from '#projections/testing/sample-events.js';
import { placePerCase, publish } from '../contract/read-store-fixture.js';
import { makeSqlitePlace } from '../contract/sqlite-read-store.fixture.js';

const SETUP = 31;
const START = '2026-01-03T00:00:00.000Z';
const CUSTOMERS: number = 12;
const COMPETITORS: number = 13;
/** More than are read at once. */
const MANY = 1_300;

type Named = { readonly handle: string | null; readonly domain: string | null };
const companyOf = (id: number, { handle, domain }: Named, workspaceId = '1'): HappenedEvent => ({
  type: 'CompanyRegistered',
  data: {
    companyId: id,
    identity: '',
    rev: 1,
    facts: sampleCompanyFacts({ network_handle: handle, domain }),
  },
  metadata: { workspaceId, recordedAt: START },
});
const reached = (id: number, recordedAt = START, setupId = SETUP): HappenedEvent => {
  const { agentId: _agent, ...byNobody } = sampleDetection({ detectionId: id, companyId: id, priority: 1 });
  return {
    type: 'SignalDetected',
    data: { ...byNobody, setupId },
    metadata: { workspaceId: '1', recordedAt },
  };
};
const listed = (
  memberId: number,
  { handle, domain }: Named,
  listId = CUSTOMERS,
  workspaceId = '1',
): HappenedEvent => ({
  type: 'MembersAdded',
  data: {
    listId,
    kind: 'company',
    source: 'api',
    members: [{ memberId, handle, networkUrl: null, domains: domain === null ? [] : [domain], name: null }],
    addedAt: START,
  },
  metadata: { workspaceId, recordedAt: START },
});
const byHandle = (handle: string): Named => ({ handle, domain: null });
const byDomain = (domain: string): Named => ({ handle: null, domain });
const named = (name: string): Named => ({ handle: name, domain: `${name}.com` });
const many = (event: (number: number) => HappenedEvent): readonly HappenedEvent[] =>
  Array.from({ length: MANY }, (_, number) => event(1_000 + number));

/** Five companies are key accounts here, each in another way, and no others. */
const FIVE = [
  companyOf(1, named('both')),
  companyOf(2, named('by-handle')),
  companyOf(3, named('by-domain')),
  companyOf(4, byDomain('no-handle.com')),
  companyOf(5, named('twice')),
  ...[1, 2, 3, 4, 5].map((id) => reached(id)),
  listed(1, named('both')),
  listed(2, byHandle('by-handle')),
  listed(3, byDomain('by-domain.com')),
  listed(4, named('no-handle')),
  listed(5, named('twice')),
  listed(6, byDomain('twice.com')),
  listed(7, byHandle('twice'), COMPETITORS),
];
const NOTHING = [
  companyOf(11, named('never-reached')),
  companyOf(12, named('reached-before')),
  companyOf(13, named('by-another-setup')),
  companyOf(14, named('of-a-competitor')),
  companyOf(15, { handle: 'sister', domain: 'shared.com' }),
  companyOf(16, named('of-somebody-else')),
  companyOf(17, named('on-no-list')),
  companyOf(18, named('never-reached'), '2'),
  reached(12, '2026-01-02T23:59:59.999Z'),
  reached(13, START, SETUP + 1),
  ...[14, 15, 16, 17].map((id) => reached(id)),
  listed(11, named('never-reached')),
  listed(12, named('reached-before')),
  listed(13, named('by-another-setup')),
  listed(14, named('of-a-competitor'), COMPETITORS),
  listed(15, { handle: 'another-sister', domain: 'shared.com' }),
  listed(16, named('of-somebody-else'), CUSTOMERS, '2'),
];

describe('the key accounts among the companies that a setup reached', () => {
  const { store } = placePerCase(makeSqlitePlace);

  async function filled(events: readonly HappenedEvent[]): Promise<ReadStore> {
    const put = async (view: Projection, documents: ReadonlyMap<string, unknown>): Promise<unknown> =>
      publish(
        store,
        { view, generation: 1 },
        [...documents].map(([key, document]) => ({ key, document: document as JsonValue })),
      );
    const views: readonly Projection[] = [companies, listedCompanies, reachedCompanies];
    for (const view of views) await put(view, foldAll(view, events));
    const inUse = { workspaceId: 1, deleted: false, archived: false, member_count: 1 };
    await put(
      lists,
      new Map([
        [listKey(1, CUSTOMERS), { ...inUse, id: CUSTOMERS, type: 'customer' }],
        [listKey(1, COMPETITORS), { ...inUse, id: COMPETITORS, type: 'competitor' }],
      ]),
    );
    return store;
  }

  /** Counts the documents that are read. */
  function counted(store: ReadStore): ReadModels & { readonly read: () => number } {
    let read = 0;
    return {
      ...store,
      async find<Document>(view: ViewOf<Document>, query: Query) {
        const found = await store.find(view, query);
        read += found.length;
        return found;
      },
      async getMany<Document>(view: ViewOf<Document>, keys: readonly string[]) {
        const found = await store.getMany(view, keys);
        read += found.size;
        return found;
      },
      read: () => read,
    };
  }

  for (const [what, more] of [
    ['few were reached and few are listed', []],
    ['many were reached', many((id) => reached(id))],
    ['many are listed', many((id) => listed(id, named(`listed-${id}`)))],
    [
      'many were reached and more are listed',
      [...many((id) => reached(id)), ...many((id) => listed(id, named(`listed-${id}`)))],
    ],
  ] as const) {
    it(`STAT-10 are the same when ${what}`, async () => {
      const behind = [companyOf(6, named('zz-last')), reached(6, '2026-01-04T00:00:00.000Z')];
      const store = await filled([...FIVE, ...NOTHING, ...more, ...behind, listed(99, named('zz-last'))]);
      expect(await countKeyAccounts(store, 1, SETUP, START)).toBe(6);
    });
  }

  for (const [what, more] of [
    ['reached', [...many((id) => companyOf(id, named(`c-${id}`))), ...many((id) => reached(id))]],
    ['listed', many((id) => listed(id, named(`listed-${id}`)))],
  ] as const) {
    it(`STAT-10 cost as much as the companies that are both known and listed, however many companies were ${what}`, async () => {
      const known = many((id) => companyOf(id, named(`c-${id}`)));
      const readModels = counted(await filled([...FIVE, ...known, ...more]));
      expect(await countKeyAccounts(readModels, 1, SETUP, START)).toBe(5);
      expect(readModels.read()).toBeLessThan(50);
    });
  }
});
