import type { CoverageQuestion } from '#signals/detection/coverage.port.js';
import { observedCompany, observedPerson } from '#test/support/observed-network.js';
import {
  balanceOf,
  detectionsOf,
  movementsOf,
  seeRunThrough,
  signalSetup,
} from '#test/support/signal-runs.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { foundTopAccount } from '#test/support/top-accounts.js';

const NETWORK = 'https://www.network.example';

const position = (company: string, title: string, facts: object = {}): object => ({
  title,
  company_ref: `c:${company.toLowerCase()}`,
  company_name: company,
  start_date: '2024-03',
  end_date: null,
  ...facts,
});

/** The observed revisions of a person, a day apart. */
const career = (
  handle: string,
  facts: object,
  ...revisions: readonly (readonly object[])[]
): readonly object[] =>
  revisions.map((experiences, index) =>
    observedPerson(handle, {
      first_name: 'Ana',
      headline: 'Selling',
      geo: { city: 'Paris', country: 'France' },
      rev: index + 1,
      observed_at: `2026-01-0${index + 2}T09:00:00Z`,
      experiences,
      ...facts,
    }),
  );

const atGlobex = position('Globex', 'Head of Sales');
const leftGlobex = position('Globex', 'Head of Sales', { end_date: '2026-01' });
const atAcme = position('Acme', 'VP Sales', { start_date: '2026-01', seniority: 'vp' });

describe('job changes', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  /** Covered accounts by workspace. */
  const covered = new Map<number, readonly string[]>();
  const coverage = {
    coveredAccounts: async ({ workspaceId }: CoverageQuestion) => covered.get(workspaceId) ?? [],
  };

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' }, undefined, { coverage });
    await service.ops('clock.set', { now: '2026-01-10T10:00:00.000Z' });
    workspace = await service.workspace({ credits: 1_000 });
    await workspace.call('POST /api/v2/personas', { job_title: ['Sales'], location: ['France'] });
    await service.ingest([
      ...['Acme', 'Globex'].map((name) => observedCompany(name.toLowerCase(), { name })),
      ...career('hired', {}, [atGlobex], [leftGlobex, atAcme]),
      ...career(
        'promoted',
        {},
        [position('Acme', 'Sales Manager')],
        [position('Acme', 'Sales Manager', { end_date: '2026-01' }), atAcme],
      ),
      ...career('left', {}, [atGlobex], [leftGlobex]),
      ...career('driver', {}, [atGlobex], [leftGlobex, { ...atAcme, title: 'VP Driving' }]),
      // Hired, and gone again: skipped by D-28.
      ...career('gone', {}, [position('Initech', 'Sales')], [atAcme], [{ ...atAcme, end_date: '2026-01' }]),
    ]);
  });
  afterAll(() => service.stop());

  const profile = (handle: string) => ({
    full_name: 'Ana Roy',
    headline: 'Selling',
    network_url: `${NETWORK}/in/${handle}`,
  });
  const acme = { company_name: 'Acme', company_network_url: `${NETWORK}/company/acme` };
  const globex = { company_name: 'Globex', company_network_url: `${NETWORK}/company/globex` };
  const newJob = (handle: string, title = 'VP Sales') => ({
    profile: profile(handle),
    change: 'new_company',
    previous: { title: 'Head of Sales', ...globex, end_date: '2026-01' },
    current: { title, ...acme, start_date: '2026-01' },
  });
  const promotion = {
    profile: profile('promoted'),
    change: 'promotion',
    previous: { title: 'Sales Manager', ...acme, end_date: '2026-01' },
    current: { title: 'VP Sales', ...acme, start_date: '2026-01' },
  };
  const departure = {
    profile: profile('left'),
    change: 'departure',
    previous: { title: 'Head of Sales', ...globex, end_date: '2026-01' },
    current: null,
  };

  /** Type and payload of each detection, by the handle of its lead. */
  const found = async (of: TestWorkspace, id: number): Promise<readonly (readonly [string, object])[]> =>
    (await detectionsOf(of, { agent_id: id }))
      .map(({ signal_type, data }) => [signal_type, data] as const)
      .sort(([, left], [, right]) => (left.profile.network_url < right.profile.network_url ? -1 : 1));

  const setups = [
    ['new-hire-in-target-role', {}, [['newJob', newJob('hired')]], 20],
    [
      'new-hire-in-target-role',
      { job_titles: ['driving'] },
      [['newJob', newJob('driver', 'VP Driving')]],
      20,
    ],
    ['promotion-in-target-role', { seniority: ['vp'] }, [['recentlyPromoted', promotion]], 20],
    [
      'new-executive',
      { seniority: ['vp'] },
      [
        ['newJob', newJob('driver', 'VP Driving')],
        ['newJob', newJob('hired')],
        ['recentlyPromoted', promotion],
      ],
      // The driver does not match the persona: of second priority, and free.
      80,
    ],
  ] as const;

  it.each(setups)(
    'D-08 D-28 D-60 %s with %j finds each change once, and top-priority ones are paid for',
    async (key, parameters, expected, credits) => {
      const setup = await signalSetup(workspace, key, parameters);
      const before = await balanceOf(workspace);
      expect(await seeRunThrough(service, workspace, setup)).toMatchObject({
        stage: 'completed',
        matches_found: expected.length,
        credits_spent: credits,
      });
      expect(await found(workspace, setup)).toEqual(expected);
      expect(Number(before.balance) - Number((await balanceOf(workspace)).balance)).toBe(credits);

      await seeRunThrough(service, workspace, setup);
      expect(await found(workspace, setup)).toHaveLength(expected.length);
      expect(Number(before.balance) - Number((await balanceOf(workspace)).balance)).toBe(credits);
    },
  );

  it('OP-42 OP-20 show the same shortcuts and details as a detection added by hand with the same payload', async () => {
    const setup = await signalSetup(workspace, 'new-hire-in-target-role', {});
    await seeRunThrough(service, workspace, setup);
    const [detected] = await detectionsOf(workspace, { agent_id: setup });
    const { detection_id: byHand } = await service
      .ops('detection.add', {
        workspace_id: workspace.id,
        signal_type: 'newJob',
        signal_date: '2026-01-03T09:00:00Z',
        company_network_handle: 'acme',
        person_network_handle: 'hired',
        data: newJob('hired'),
      })
      .then(({ body }) => body);
    const added = (await detectionsOf(workspace)).find(({ id }) => id === byHand);
    const shown = ({
      signal_type,
      signal_date,
      data,
      author,
      source_url,
      excerpt,
      provenance: [],
      company_id,
      lead_id,
    }: any) => ({
      signal_type,
      signal_date,
      data,
      author,
      source_url,
      excerpt,
      provenance: [],
      company_id,
      lead_id,
    });
    expect(shown(added)).toEqual(shown(detected));
    expect(detected).toMatchObject({
      signal_date: '2026-01-03T09:00:00.000Z',
      author: profile('hired'),
      source_url: null,
      excerpt: null,
      provenance: [],
    });
    const details = async (id: number) =>
      (await workspace.call('POST /api/v3/signals/query', { limit: 100 })).body.data.find(
        (row: { readonly id: number }) => row.id === id,
      )?.details;
    expect(await details(byHand)).toEqual(await details(detected.id));
    expect(await details(byHand)).toMatchObject({
      action_date: '2026-01-03T09:00:00.000Z',
      new_role: 'VP Sales',
      new_company: 'Acme',
      previous_role: 'Head of Sales',
      previous_company: 'Globex',
      interaction: null,
      post_text: null,
    });
  });

  it('D-30 D-32 customer-contact-departure is about covered customers of its list, in new jobs and departures, and free', async () => {
    const other = await service.workspace({ credits: 100 });
    await other.call('POST /api/v2/personas', { job_title: ['Gardener'], location: ['Japan'] });
    const list = (await other.call('POST /api/v2/lists', { type: 'customer', name: 'Customers' })).body.data
      .id;
    await other.call(`POST /api/v2/lists/company/${list}/members`, {
      members: [{ network_handle: 'globex' }, { network_handle: 'acme' }],
    });
    const setup = await signalSetup(other, 'customer-contact-departure', { list_id: list });
    const refused = await other.call('POST /api/v2/workspace/signal-runs', { agent_id: setup });
    expect(refused).toMatchObject({ status: 400 });
    covered.set(other.id, ['c:globex']);
    expect(await seeRunThrough(service, other, setup)).toMatchObject({
      stage: 'completed',
      credits_spent: 0,
    });
    expect(await found(other, setup)).toEqual([
      ['newJob', newJob('driver', 'VP Driving')],
      ['newJob', newJob('hired')],
      ['newJob', departure],
    ]);
    const companies = new Set((await detectionsOf(other)).map(({ company_id }) => company_id));
    expect(companies.size).toBe(1);
    const left = await other.call(`GET /api/v2/companies/${[...companies].join()}`);
    expect(left.body).toMatchObject({ name: 'Globex' });
    expect(await movementsOf(other)).toEqual([]);
  });

  describe('of agents', () => {
    let other: TestWorkspace;
    const jobUpdate = async (parameters?: object): Promise<number> => {
      const { status, body } = await other.call('POST /api/v2/agents', {
        type: 'job_update',
        ...(parameters === undefined ? {} : { parameters }),
      });
      expect([status, body.errors]).toEqual([201, undefined]);
      return body.data.id;
    };
    const people = async (parameters: object): Promise<readonly string[]> => {
      const id = await jobUpdate(parameters);
      await seeRunThrough(service, other, id);
      return (await found(other, id)).map(([, data]) =>
        String(Object(data).profile.network_url).replace(/.*\//, ''),
      );
    };

    beforeAll(async () => {
      other = await service.workspace();
      await foundTopAccount(service, other, 'acme');
    });

    it('RUN-02 RUN-12 D-61 a job_update agent finds changes at top accounts, once and for free', async () => {
      const id = await jobUpdate();
      expect(await seeRunThrough(service, other, id)).toMatchObject({
        stage: 'completed',
        matches_found: 3,
        credits_spent: 0,
      });
      expect(await found(other, id)).toEqual([
        ['newJob', newJob('driver', 'VP Driving')],
        ['newJob', newJob('hired')],
        ['recentlyPromoted', promotion],
      ]);
      await seeRunThrough(service, other, id);
      expect(await found(other, id)).toHaveLength(3);
      expect(await movementsOf(other)).toEqual([]);
    });

    it('AG-15 SUP-12 D-61 is narrowed by each of its parameters', async () => {
      const everybody = ['driver', 'hired', 'promoted'];
      expect(await people({ job_titles: ['sales'] })).toEqual(['hired', 'promoted']);
      expect(await people({ target_persona: ['driving'] })).toEqual(['driver']);
      expect(await people({ seniority_levels: ['VP'] })).toEqual(everybody);
      expect(await people({ company_domains_to_scrape: ['globex.com'] })).toEqual([]);
      expect(await people({ target_persona_locations: ['Paris'] })).toEqual(everybody);
      expect(await people({ author_roles: ['selling'] })).toEqual(everybody);
      expect(await people({ author_industries: ['banking'] })).toEqual([]);
      expect(await people({ target_network_profiles: [`${NETWORK}/in/hired`] })).toEqual(['hired']);
      expect(await people({ keywords_for_social_detection: ['selling'] })).toEqual(everybody);
      expect(await people({ keywords_for_social_detection: ['crm'] })).toEqual([]);
      expect(await people({})).toEqual(everybody);
    });

    it('D-61 OP-48 interested_by checks whether the new employer is on an active customer list', async () => {
      const everybody = ['driver', 'hired', 'promoted'];
      const asked = async () => [
        await people({ interested_by: { customers: true, prospects: false } }),
        await people({ interested_by: { customers: false, prospects: true } }),
      ];
      expect(await asked()).toEqual([[], everybody]);
      const list = (await other.call('POST /api/v2/lists', { type: 'customer', name: 'Ours' })).body.data.id;
      const members = { members: [{ domain: 'acme.com' }] };
      await other.call(`POST /api/v2/lists/company/${list}/members`, members);
      expect(await asked()).toEqual([everybody, []]);
      await other.call(`PUT /api/v2/lists/company/${list}`, { archived: true });
      expect(await asked()).toEqual([[], everybody]);
    });

    it('is refused without a top account', async () => {
      const none = await service.workspace();
      const { body } = await none.call('POST /api/v2/agents', { type: 'job_update' });
      expect(await none.call('POST /api/v2/workspace/signal-runs', { agent_id: body.data.id })).toMatchObject(
        {
          status: 400,
          body: {
            detail:
              'There are no target accounts configured. The workspace has no top accounts: add some with a POST to /api/v2/top-account-list/accounts.',
          },
        },
      );
    });
  });
});
