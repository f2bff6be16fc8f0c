import { IN_FRANCE, employed, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { scene, type Scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const SALES = { job_title: ['Sales'], location: ['France'] };
const MAPPED = ['account_mapping completed', 'top_account_content completed'];

type Row = {
  readonly terms: string;
  /** Options for creating the workspace; `partner`: a partner pays. */
  readonly options?: object | 'partner';
  /** Null: no persona. */
  readonly persona?: object | null;
  readonly afterwards?: (service: Scene, workspace: SceneWorkspace, personaId: number) => Promise<unknown>;
  /**
   * The statuses of the calls that add an account, map a company, list the mappings, and query the stage of a
   * request.
   */
  readonly answers: readonly [add: number, enrich: number, mappings: number, stage: number];
  /** The last part of the problem type of the mapping call. */
  readonly problem?: string;
  /** How the requests of the account ended; empty for waiting ones. */
  readonly ends: readonly string[];
  /** The total cost by movements, and the part that the workspace paid. */
  readonly used: number;
  readonly paid: number;
};

/** Two people of the account match, and one of the company in the mapping call. */
const rows: readonly Row[] = [
  { terms: 'that pays itself', answers: [202, 202, 200, 404], ends: MAPPED, used: 5, paid: 5 },
  {
    terms: 'without credits',
    options: { credits: undefined },
    answers: [202, 402, 200, 404],
    problem: 'insufficient-credits',
    ends: [],
    used: 0,
    paid: 0,
  },
  {
    terms: 'without the feature',
    options: { account_mapping: false },
    answers: [202, 403, 403, 403],
    problem: 'forbidden',
    ends: ['top_account_content completed'],
    used: 0,
    paid: 0,
  },
  {
    terms: 'that is blocked',
    afterwards: (service, { id }) => service.ops('workspace.block', { workspace_id: id, reason: 'unpaid' }),
    answers: [202, 403, 200, 404],
    problem: 'forbidden',
    ends: [],
    used: 0,
    paid: 0,
  },
  {
    terms: 'without a persona',
    persona: null,
    answers: [422, 422, 200, 404],
    problem: 'no-persona-launchable',
    ends: [],
    used: 0,
    paid: 0,
  },
  {
    terms: 'whose persona is archived',
    afterwards: (_, workspace, personaId) =>
      workspace.call(`PATCH /api/v2/personas/${personaId}`, { archived: true }),
    answers: [422, 422, 200, 404],
    problem: 'no-persona-launchable',
    ends: [],
    used: 0,
    paid: 0,
  },
  {
    terms: 'whose persona has no place',
    persona: { job_title: ['Sales'] },
    answers: [422, 422, 200, 404],
    problem: 'no-persona-launchable',
    ends: [],
    used: 0,
    paid: 0,
  },
  {
    terms: 'whose persona has no titles',
    persona: { location: ['France'] },
    answers: [202, 422, 200, 404],
    problem: 'no-persona-launchable',
    ends: ['account_mapping persona_without_job_titles', 'top_account_content completed'],
    used: 0,
    paid: 0,
  },
  {
    terms: 'that is exempt',
    options: { billing: 'exempt', credits: undefined },
    answers: [202, 202, 200, 404],
    ends: MAPPED,
    used: 0,
    paid: 0,
  },
  {
    terms: 'that a partner pays for',
    options: 'partner',
    answers: [202, 202, 200, 404],
    ends: MAPPED,
    used: 5,
    paid: 0,
  },
];

describe('top accounts and mappings of a workspace', () => {
  const service = scene({
    network: [
      observedCompany('acme'),
      observedCompany('globex'),
      ...['ana', 'bo'].map((name) => observedPerson(name, { ...employed('acme', 'Sales'), ...IN_FRANCE })),
      observedPerson('gil', { ...employed('globex', 'Sales'), ...IN_FRANCE }),
    ],
  });

  async function workspaceOf({ options = {}, persona = SALES, afterwards }: Row): Promise<SceneWorkspace> {
    const workspace = await (options === 'partner' ? service.partnerWorkspace() : service.workspace(options));
    const personaId = persona === null ? 0 : await workspace.persona(persona);
    await afterwards?.(service, workspace, personaId);
    return workspace;
  }

  async function endsOf(workspace: SceneWorkspace): Promise<readonly string[]> {
    const stages = ['completed', 'account_mapping_failed', 'top_account_content_failed'];
    const route = `GET /api/v2/content-requests?company_domain=acme.com&stage=${stages.join()}`;
    const { status, body } = await workspace.call(route);
    if (status === 404) return [];
    return body.data
      .map(({ type, failed_reason, stage }: Answer['body']) => `${type} ${failed_reason ?? stage}`)
      .sort();
  }

  it.each(rows)('OP-25 OP-27 OP-52 OP-56 PER-15 $terms', async (row) => {
    const workspace = await workspaceOf(row);
    const before = await workspace.balance();
    const add = await workspace.call('POST /api/v2/top-account-list/accounts', {
      accounts: [{ network_url: 'https://www.network.example/company/acme' }],
    });
    const enrich = await workspace.call('POST /api/v2/enrich-company-mapping', { network_handle: 'globex' });
    await service.drain();
    const mappings = await workspace.call('GET /api/v2/company-mappings');
    const stage = await workspace.call('GET /api/v2/account-mapping/9999999/stage');
    expect([add, enrich, mappings, stage].map(({ status }) => status)).toEqual(row.answers);
    expect(enrich.body.type?.split('/').at(-1)).toBe(row.problem);
    expect(await endsOf(workspace)).toEqual(row.ends);
    const spent = (await workspace.movements()).map(({ credits, status }): number =>
      status === 'captured' ? credits : 0,
    );
    expect(spent.reduce((sum, credits) => sum + credits, 0)).toBe(row.used);
    expect(await workspace.balance()).toMatchObject({ held: 0, balance: before.balance - row.paid });
    // In any case the list itself can be read.
    for (const route of ['accounts', 'not-found-accounts', 'ingestion-status'])
      expect((await workspace.call(`GET /api/v2/top-account-list/${route}`)).status).toBe(200);
  });
});
