import { answered, idsIn, refusal } from '#test/support/expected-answers.js';
import {
  completedRun,
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

/** The objects that detections refer to: leads, companies, contents, runs. */
describe('objects that detections refer to', () => {
  let agentId: number;
  let runId: number;
  let known: Detection;
  let unknownAuthor: Detection;

  type Detection = {
    readonly lead_id: number | null;
    readonly company_id: number | null;
    readonly data: { readonly content_id: number };
  };

  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      observedCompany('acme', {
        employees: 120,
        employee_range: '51-200',
        locations: [
          { is_hq: false, city: 'Lyon', country: 'France', country_code: 'FR' },
          { is_hq: true, city: 'Paris', country: 'France', country_code: 'FR' },
        ],
      }),
      observedPerson('ana', {
        headline: 'VP Sales at Acme',
        geo: { city: 'Paris', region: null, country: 'France', country_code: 'FR' },
        ...employed('acme', 'VP Sales'),
      }),
      observedPost('known', 'ana', 'a CRM', '2026-05-31T09:00:00Z'),
      observedPost('orphan', 'nobody', 'another CRM', '2026-05-30T09:00:00Z'),
    ],
  });
  const workspace = sharedWorkspace(service, {}, async (made) => {
    agentId = await keywordAgent(made, 'crm');
    runId = await completedRun(service, made, agentId);
    const detections = await made.detections();
    known = detections.find(({ lead_id }) => lead_id !== null);
    unknownAuthor = detections.find(({ lead_id }) => lead_id === null);
  });
  const other = sharedWorkspace(service);

  /** Malformed, unknown and foreign ids of a route, and a missing key. */
  async function knowsOnlyItsOwn(path: string, id: number | null, malformed: 400 | 404): Promise<void> {
    const foreign = await other.call(`GET ${path}/${id}`);
    const unknown = await other.call(`GET ${path}/999999`);
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
    for (const wrong of ['0', '-1', 'abc', '1.5']) {
      expect((await workspace.call(`GET ${path}/${wrong}`)).status).toBe(malformed);
    }
    expect((await service.call(`GET ${path}/${id}`)).status).toBe(401);
  }

  describe('GET /api/v2/leads/:id', () => {
    it('LEAD-01 LEAD-02 LEAD-03 LEAD-04 LEAD-05 shows the lead with its company', async () => {
      const body = await answered(200, workspace.call(`GET /api/v2/leads/${known.lead_id}`));
      expect(body).toEqual({
        data: {
          id: known.lead_id,
          first_name: 'ana',
          last_name: 'Roy',
          network_url: 'https://www.network.example/in/ana',
          network_handle: 'ana',
          network_headline: 'VP Sales at Acme',
          avatar_url: null,
          email: null,
          phone: null,
          position: 'VP Sales',
          location: 'Paris, France',
          geo: { city: 'Paris', region: null, country: 'France', country_code: 'FR' },
          company: {
            id: known.company_id,
            name: 'acme',
            domain: 'acme.com',
            network_url: 'https://www.network.example/company/acme',
            network_handle: 'acme',
            activity_summary: null,
            employee_range: '51-200',
            location: 'Paris, France',
            is_top_account: false,
          },
          experiences: [
            {
              title: 'VP Sales',
              company_name: 'acme',
              company_network_url: 'https://www.network.example/company/acme',
              location: null,
              start_date: '2024-03',
              end_date: null,
              is_current: true,
            },
          ],
        },
      });
    });

    it('LEAD-07 ISO-12 shows only its own', () => knowsOnlyItsOwn('/api/v2/leads', known.lead_id, 400));
  });

  describe('GET /api/v2/companies/:id', () => {
    it('CO-01 CO-02 CO-03 CO-04 CO-05 shows the company without a wrapper, headquarters first', async () => {
      const body = await answered(200, workspace.call(`GET /api/v2/companies/${known.company_id}`));
      expect(body).toMatchObject({
        name: 'acme',
        domain: 'acme.com',
        network_handle: 'acme',
        location: 'Paris, France',
        number_of_employees: 120,
        employee_range: '51-200',
        founded_year: null,
        observed_at: null,
        industries: null,
        activity_summary: null,
        tagline: null,
        logo_url: null,
        pipeline_configs: [],
      });
      expect(
        body.locations.map(({ is_hq, city }: { is_hq: boolean; city: string }) => [is_hq, city]),
      ).toEqual([
        [true, 'Paris'],
        [false, 'Lyon'],
      ]);
      expect(Object.keys(body.locations[0]).sort()).toEqual(
        [
          'is_hq',
          'city',
          'region',
          'state',
          'country',
          'country_code',
          'postal_code',
          'line1',
          'line2',
          'formatted_address',
          'latitude',
          'longitude',
        ].sort(),
      );
    });

    it('CO-06 ISO-12 shows only its own', () => knowsOnlyItsOwn('/api/v2/companies', known.company_id, 404));
  });

  describe('PUT /api/v2/companies/:id/pipeline-configs', () => {
    const put = (configs: unknown, asker = workspace) =>
      asker.call(`PUT /api/v2/companies/${known.company_id}/pipeline-configs`, { pipeline_configs: configs });
    const mapping = { pipeline_type: 'account_mapping', configuration: 'default' };
    const detection = { pipeline_type: 'signal_detection', configuration: 'disabled' };

    it('CO-07 replaces only the named types, and records the changes', async () => {
      await service.expectEvents(['PipelineConfigSet', 'PipelineConfigSet', 'ChargesStopped'], async () => {
        expect((await put([mapping, detection])).body.pipeline_configs).toEqual([mapping, detection]);
      });
      const stopped = { ...mapping, configuration: 'disabled' };
      await service.expectEvents(['PipelineConfigSet', 'ChargesStopped'], async () => {
        const body = await answered(200, put([stopped, detection]));
        expect(body.name).toEqual('acme');
        expect(new Set(body.pipeline_configs)).toEqual(new Set([detection, stopped]));
      });
    });

    it('refuses an invalid configuration, and a company of another workspace, without an event', async () => {
      await service.expectEvents([], async () => {
        await refusal(
          422,
          put([{ pipeline_type: 'account_mapping', configuration: ' ' }]),
          'pipeline_configs.0.configuration',
        );
        expect((await put('all')).status).toBe(422);
        expect((await put(undefined)).status).toBe(422);
        expect((await put([mapping], other)).status).toBe(404);
      });
    });
  });

  describe('contents', () => {
    it('CNT-01 SIG-09 shows the content of a detection, with or without its author', async () => {
      const body = await answered(200, workspace.call(`GET /api/v2/contents/${known.data.content_id}`));
      expect(body).toEqual({
        data: {
          id: known.data.content_id,
          type: 'post',
          url: 'https://www.network.example/posts/known',
          text: 'a CRM',
          published_at: '2026-05-31T09:00:00.000Z',
          author: {
            type: 'profile',
            full_name: 'ana Roy',
            headline: 'VP Sales at Acme',
            network_url: 'https://www.network.example/in/ana',
          },
          lead_id: known.lead_id,
          company_id: known.company_id,
          reaction_count: 0,
          comment_count: 0,
        },
      });
      const orphan = await workspace.call(`GET /api/v2/contents/${unknownAuthor.data.content_id}`);
      expect(orphan.body.data).toMatchObject({ author: null, lead_id: null, company_id: null });
    });

    it('OP-60 lists them in pages, narrowed to a lead or a company', async () => {
      const list = async (query: string, asker = workspace) =>
        (await asker.call(`GET /api/v2/contents${query}`)).body;
      const all = await list('?page_size=1');
      expect(all.meta).toEqual({ pagination: { page: 1, page_size: 1, page_count: 2, total: 2 } });
      for (const narrowed of [`?lead_id=${known.lead_id}`, `?company_id=${known.company_id}`]) {
        expect(idsIn((await list(narrowed)).data)).toEqual([known.data.content_id]);
        expect((await list(narrowed, other)).data).toEqual([]);
      }
      for (const wrong of ['page=0', 'page_size=101', 'lead_id=x', 'company_id=0']) {
        expect((await workspace.call(`GET /api/v2/contents?${wrong}`)).status).toBe(400);
      }
    });

    it('ISO-12 shows only its own', () => knowsOnlyItsOwn('/api/v2/contents', known.data.content_id, 400));
  });

  describe('GET /api/v2/workspace/signal-runs/:id', () => {
    it('RUN-26 OP-37 shows an ended run', async () => {
      const body = await answered(200, workspace.poll(runId));
      expect(body).toEqual({
        signal_request_id: runId,
        stage: 'completed',
        agent_id: agentId,
        direction: 'single',
        trigger: 'manual',
        lookback_days: 90,
        matches_found: 2,
        matches_dropped: 0,
        credits_spent: 20,
        created_at: '2026-06-01T10:00:00.000Z',
        completed_at: '2026-06-01T10:00:00.000Z',
        max_credits: null,
        credits_left: null,
      });
    });

    it('RUN-22 shows the matches that could not be paid for', async () => {
      const poor = await service.workspace({ credits: 10 });
      expect(await poor.run(await keywordAgent(poor, 'crm'))).toMatchObject({
        stage: 'completed_partial',
        matches_found: 1,
        matches_dropped: 1,
        credits_spent: 10,
      });
    });

    it('ISO-12 shows only its own', () => knowsOnlyItsOwn('/api/v2/workspace/signal-runs', runId, 400));
  });
});
