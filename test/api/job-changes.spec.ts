import type { CoverageQuestion } from '#signals/detection/coverage.port.js';
import { observedCompany, observedPerson } from '#test/support/observed-network.js';
import { scene, sharedWorkspace, type SceneWorkspace } from '#test/support/scene.js';
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
  /** Covered accounts by workspace. */
  const covered = new Map<number, readonly string[]>();
  const coverage = {
    coveredAccounts: async ({ workspaceId }: CoverageQuestion) => covered.get(workspaceId) ?? [],
  };

  const service = scene({
    at: '2026-01-10T10:00:00.000Z',
    outside: { coverage },
    network: [
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
    ],
  });
  const workspace = sharedWorkspace(service, {}, ({ persona }) =>
    persona({ job_title: ['Sales'], location: ['France'] }),
  );

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
  const found = async (of: SceneWorkspace, id: number): Promise<readonly (readonly [string, object])[]> =>
    (await of.detections({ agent_id: id }))
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
      const setup = await workspace.setup(key, parameters);
      const before = await workspace.balance();
      expect(await workspace.run(setup)).toMatchObject({
        stage: 'completed',
        matches_found: expected.length,
        credits_spent: credits,
      });
      expect(await found(workspace, setup)).toEqual(expected);
      expect(Number(before.balance) - Number((await workspace.balance()).balance)).toBe(credits);

      await workspace.run(setup);
      expect(await found(workspace, setup)).toHaveLength(expected.length);
      expect(Number(before.balance) - Number((await workspace.balance()).balance)).toBe(credits);
    },
  );

  it('OP-42 OP-20 show the same shortcuts and details as a detection added by hand with the same payload', async () => {
    const setup = await workspace.setup('new-hire-in-target-role', {});
    await workspace.run(setup);
    const [detected] = await workspace.detections({ agent_id: setup });
    const { detection_id: byHand } = await workspace.command('detection.add', {
      signal_type: 'newJob',
      signal_date: '2026-01-03T09:00:00Z',
      company_network_handle: 'acme',
      person_network_handle: 'hired',
      data: newJob('hired'),
    });
    const added = (await workspace.detections()).find(({ id }) => id === byHand);
    const shown = ({
      signal_type,
      signal_date,
      data,
      author,
      source_url,
      excerpt,
      company_id,
      lead_id,
    }: any) => ({
      signal_type,
      signal_date,
      data,
      author,
      source_url,
      excerpt,
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
      (await workspace.data('POST /api/v3/signals/query', { limit: 100 })).find(
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
    await other.persona({ job_title: ['Gardener'], location: ['Japan'] });
    const { id: list_id } = await other.list('customer', ['globex', 'acme']);
    const setup = await other.setup('customer-contact-departure', { list_id });
    expect(await service.refused(() => other.launch(setup))).toMatchObject({ status: 400 });
    covered.set(other.id, ['c:globex']);
    expect(await other.run(setup)).toMatchObject({
      stage: 'completed',
      credits_spent: 0,
    });
    expect(await found(other, setup)).toEqual([
      ['newJob', newJob('driver', 'VP Driving')],
      ['newJob', newJob('hired')],
      ['newJob', departure],
    ]);
    const companies = new Set((await other.detections()).map(({ company_id }) => company_id));
    expect(companies.size).toBe(1);
    const left = await other.call(`GET /api/v2/companies/${[...companies].join()}`);
    expect(left.body).toMatchObject({ name: 'Globex' });
    expect(await other.movements()).toEqual([]);
  });

  describe('of agents', () => {
    const other = sharedWorkspace(service, {}, (made) => foundTopAccount(service, made, 'acme'));
    const people = async (parameters: object): Promise<readonly string[]> => {
      const id = await other.agent('job_update', { parameters });
      await other.run(id);
      return (await found(other, id)).map(([, data]) =>
        String(Object(data).profile.network_url).replace(/.*\//, ''),
      );
    };

    it('RUN-02 RUN-12 D-61 a job_update agent finds changes at top accounts, once and for free', async () => {
      const id = await other.agent('job_update');
      expect(await other.run(id)).toMatchObject({
        stage: 'completed',
        matches_found: 3,
        credits_spent: 0,
      });
      expect(await found(other, id)).toEqual([
        ['newJob', newJob('driver', 'VP Driving')],
        ['newJob', newJob('hired')],
        ['recentlyPromoted', promotion],
      ]);
      await other.run(id);
      expect(await found(other, id)).toHaveLength(3);
      expect(await other.movements()).toEqual([]);
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
      const { path } = await other.list('customer', [{ domain: 'acme.com' }]);
      expect(await asked()).toEqual([everybody, []]);
      await other.data(`PUT /api/v2/${path}`, { archived: true });
      expect(await asked()).toEqual([[], everybody]);
    });

    it('is refused without a top account', async () => {
      const none = await service.workspace();
      const agentId = await none.agent('job_update');
      expect(await service.refused(() => none.launch(agentId))).toMatchObject({
        status: 400,
        body: {
          detail:
            'There are no target accounts configured. The workspace has no top accounts: add some with a POST to /api/v2/top-account-list/accounts.',
        },
      });
    });
  });
});
