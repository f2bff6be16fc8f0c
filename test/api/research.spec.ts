import {
  replying,
  refusing,
  startChatServer,
  type Answering,
  type ChatServer,
} from '#test/support/chat-server.js';
import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import {
  balanceOf,
  detectionsOf,
  movementsOf,
  seeRunThrough,
  signalSetup,
} from '#test/support/signal-runs.js';
import { expectDetection } from '#test/support/expected-answers.js';
import { scene } from '#test/support/scene.js';
import { foundTopAccount } from '#test/support/top-accounts.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

const NOW = '2026-06-01T10:00:00.000Z';
const TEMPLATE = 'custom-research-question';
const QUESTION = 'Does the company run SAP?';

const inFrance = (handle: string, facts: object = {}): object =>
  observedCompany(handle, { locations: [{ is_hq: true, city: 'Lyon', country: 'France' }], ...facts });

const NETWORK = [
  inFrance('acme'),
  inFrance('globex', { activity_summary: 'Machines. SAP for our partners.' }),
  inFrance('initech', { tagline: 'We do not know SAP' }),
  inFrance('quiet'),
  observedCompany('abroad', { tagline: 'SAP abroad' }),
  observedPerson('ana', employed('acme', 'VP Sales')),
  observedPost('sap', 'ana', 'Hello! We run SAP S/4. Join us', '2026-05-31T09:00:00Z'),
  observedPost('old', 'ana', 'SAP everywhere', '2025-01-31T09:00:00Z'),
  {
    kind: 'job_posting',
    ref: 'job:1',
    company_ref: 'c:acme',
    title: 'SAP admin (m/w). Lyon',
    description: 'Nice people.',
    url: 'https://www.network.example/jobs/1',
    posted_at: '2026-05-30T09:00:00Z',
  },
];

const withPersona = async (service: TestService, options: object = {}): Promise<TestWorkspace> => {
  const workspace = await service.workspace(options);
  await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
  return workspace;
};
const answersOf = async (workspace: TestWorkspace): Promise<readonly unknown[]> =>
  (await detectionsOf(workspace)).map(({ data }) => [data.question, data.answer]);

describe('a question about the companies of a market', () => {
  const service = scene({ at: NOW, network: NETWORK });

  it('D-81 D-82 D-84 OP-42 is answered from passages, for 40 credits per company, once', async () => {
    const workspace = await withPersona(service);
    const setupId = await signalSetup(workspace, TEMPLATE, { question: QUESTION });
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      stage: 'completed',
      matches_found: 2,
      matches_dropped: 0,
      credits_spent: 80,
    });
    const rows = await detectionsOf(workspace);
    expect(rows).toHaveLength(2);
    const [acme] = rows.filter(({ data }) => data.evidence.length === 2);
    const companyId = acme.company_id;
    expectDetection(acme, {
      signal_type: 'deepSearch',
      data: {
        question: QUESTION,
        answer: 'yes',
        evidence: [
          { url: 'https://www.network.example/posts/sap', extract: 'We run SAP S/4.' },
          { url: 'https://www.network.example/jobs/1', extract: 'SAP admin (m/w). Lyon' },
        ],
        facts: null,
      },
      detected_at: NOW,
      signal_date: '2026-05-31T09:00:00.000Z',
      agent_id: setupId,
      source_url: 'https://www.network.example/posts/sap',
      excerpt: 'We run SAP S/4.',
      credits: 40,
    });
    expect((await workspace.call(`GET /api/v2/companies/${companyId}`)).body).toMatchObject({
      name: 'acme',
    });
    const v3 = await workspace.call('POST /api/v3/signals/query', { signal_setup_id: setupId });
    const shown = v3.body.data.find((row: { company: { id: number } }) => row.company.id === companyId);
    expect(shown).toMatchObject({
      signal_setup_id: setupId,
      signal_template_key: TEMPLATE,
      signal_type: 'deepSearch',
      signal_date: '2026-05-31T09:00:00.000Z',
      source_url: 'https://www.network.example/posts/sap',
      lead: null,
      company: { id: companyId, name: 'acme' },
    });
    const { action_date, ...others } = shown.details;
    expect(action_date).toBe('2026-05-31T09:00:00.000Z');
    expect(Object.values(others).every((value) => value === null)).toBe(true);
    const [globex] = rows.filter(({ id }) => id !== acme.id);
    expect(globex).toMatchObject({
      signal_date: null,
      source_url: null,
      excerpt: 'SAP for our partners.',
      provenance: [],
      data: { evidence: [{ url: null, extract: 'SAP for our partners.' }] },
    });
    const movements = await movementsOf(workspace);
    expect(movements.map(({ status, product, credits }) => [status, product, credits])).toEqual([
      ['captured', 'discovery_advanced', 40],
      ['captured', 'discovery_advanced', 40],
    ]);
    expect(await balanceOf(workspace)).toMatchObject({ balance: 920, captured: 80, held: 0 });

    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      stage: 'completed',
      matches_found: 0,
      credits_spent: 0,
    });
    expect(await detectionsOf(workspace)).toEqual(rows);
    expect(await balanceOf(workspace)).toMatchObject({ balance: 920 });
  });

  it('D-84 names a choice as the setup spells it', async () => {
    const workspace = await withPersona(service);
    const parameters = {
      question: 'What kind of SAP is it?',
      answer_type: 'choice',
      choices: ['R/3', 's/4'],
    };
    await seeRunThrough(service, workspace, await signalSetup(workspace, TEMPLATE, parameters));
    expect(await answersOf(workspace)).toEqual([]);
    const found = { ...parameters, question: 'Which SAP is it?' };
    await seeRunThrough(service, workspace, await signalSetup(workspace, TEMPLATE, found));
    expect(await answersOf(workspace)).toEqual([['Which SAP is it?', 's/4']]);
  });

  it('D-83 finds the rest once there are credits', async () => {
    const workspace = await withPersona(service, { credits: 40 });
    const setupId = await signalSetup(workspace, TEMPLATE, { question: QUESTION });
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      stage: 'completed_partial',
      matches_found: 1,
      matches_dropped: 1,
      credits_spent: 40,
    });
    await service.ops('credits.grant', { workspace_id: workspace.id, credits: 40, reason: 'top-up' });
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      stage: 'completed',
      matches_found: 1,
    });
    expect(await balanceOf(workspace)).toMatchObject({ balance: 0, captured: 80 });
  });
});

describe('a question that a chat-completions endpoint answers', () => {
  let service: TestService;
  let endpoint: ChatServer;
  beforeAll(async () => {
    endpoint = await startChatServer();
    service = await startTestService({
      CLOCK: 'manual',
      RESEARCH_URL: endpoint.url,
      RESEARCH_MODEL: 'small-1',
      RESEARCH_KEY: 'secret-key',
    });
    await service.ops('clock.set', { now: NOW });
    await service.ingest(NETWORK);
  });
  afterAll(async () => {
    await service.stop();
    await endpoint.close();
  });
  beforeEach(() => endpoint.requests.splice(0));

  const asked = (): readonly string[] =>
    endpoint.requests.map(({ body }) => JSON.parse(body.messages[1].content).passages[0].text).sort();

  it('D-83 is asked about each company whose passages contain the question’s words, with only these passages', async () => {
    endpoint.answer = replying('{"answer":"yes","evidence":[1]}');
    const workspace = await withPersona(service);
    const links = [
      { url: 'https://example.com/erp', note: 'list of ERP users' },
      { url: 'https://example.com' },
    ];
    const setupId = await signalSetup(workspace, TEMPLATE, { question: QUESTION, links });
    const streams = await service.service.host.eventStore.head();
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      stage: 'completed',
      matches_found: 3,
    });
    expect(asked()).toEqual([
      'Hello! We run SAP S/4. Join us',
      'Machines. SAP for our partners.',
      'We do not know SAP',
    ]);
    const [about] = endpoint.requests
      .map(({ body }) => body.messages[1].content)
      .filter((content) => content.includes('S/4'));
    expect(about).toBe(
      '{"question":"Does the company run SAP?","allowed_answers":["yes","no","unknown"],' +
        '"notes":["https://example.com/erp — list of ERP users","https://example.com"],"passages":[' +
        '{"n":1,"date":"2026-05-31","text":"Hello! We run SAP S/4. Join us"},' +
        '{"n":2,"date":"2026-05-30","text":"SAP admin (m/w). Lyon\\nNice people."}]}',
    );
    expect((await detectionsOf(workspace)).map(({ data }) => data.evidence)).toContainEqual([
      { url: 'https://www.network.example/posts/sap', extract: 'We run SAP S/4.' },
    ]);
    for await (const { events } of service.service.host.eventStore.readAll({ after: streams }))
      expect(JSON.stringify(events.map(({ data, metadata }) => [data, metadata]))).not.toContain(
        'secret-key',
      );

    // A reported answer is not asked for again.
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      stage: 'completed',
      matches_found: 0,
    });
    expect(endpoint.requests).toHaveLength(3);
  });

  it('D-83 leaves a run partial if it could not answer, and the next run asks again', async () => {
    const workspace = await withPersona(service);
    const setupId = await signalSetup(workspace, TEMPLATE, { question: QUESTION });
    endpoint.answer = (response, request) =>
      request.body.messages[1].content.includes('S/4')
        ? refusing(403)(response, request)
        : replying('{"answer":"yes","evidence":[1]}')(response, request);
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      stage: 'completed_partial',
      matches_found: 2,
      matches_dropped: 0,
      credits_spent: 80,
    });
    endpoint.requests.splice(0);
    endpoint.answer = replying('{"answer":"unknown","evidence":[]}');
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      stage: 'completed',
      matches_found: 0,
    });
    expect(asked()).toEqual(['Hello! We run SAP S/4. Join us']);
  });

  it('D-83 asks first about the companies that a run left when its questions failed', async () => {
    const many = await startTestService({
      CLOCK: 'manual',
      RESEARCH_URL: endpoint.url,
      RESEARCH_MODEL: 'small-1',
    });
    const handles = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await many.ops('clock.set', { now: NOW });
    await many.ingest(handles.map((handle) => inFrance(handle, { tagline: `SAP at ${handle}` })));
    const workspace = await withPersona(many);
    const setupId = await signalSetup(workspace, TEMPLATE, { question: QUESTION });
    const askedBy = async (answer: Answering): Promise<readonly string[]> => {
      endpoint.requests.splice(0);
      endpoint.answer = answer;
      await seeRunThrough(many, workspace, setupId);
      const handlesAsked = endpoint.requests.map(
        ({ body }) => JSON.parse(body.messages[1].content).passages[0].text.split(' ').at(-1) as string,
      );
      return [...new Set(handlesAsked)];
    };
    expect((await askedBy(refusing(403))).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const unknown = replying('{"answer":"unknown","evidence":[]}');
    const rest = await askedBy(unknown);
    expect(rest.slice(0, 2).toSorted()).toEqual(['f', 'g']);
    expect(rest.toSorted()).toEqual(handles);
    // That run asked about all.
    expect((await askedBy(unknown)).slice(0, 4).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    await many.stop();
  });

  it('OP-62 is asked by a schedule about no company whose signal detection is disabled', async () => {
    endpoint.answer = replying('{"answer":"unknown","evidence":[]}');
    const workspace = await withPersona(service);
    const { companyId } = await foundTopAccount(service, workspace, 'acme');
    const put = `PUT /api/v2/companies/${companyId}/pipeline-configs`;
    const off = { pipeline_configs: [{ pipeline_type: 'signal_detection', configuration: 'disabled' }] };
    expect((await workspace.call(put, off)).status).toBe(200);
    const setupId = await signalSetup(workspace, TEMPLATE, { question: QUESTION });
    await workspace.call(`PATCH /api/v3/signal-setups/${setupId}`, { schedule: { cadence: 'weekly' } });
    await service.ops('clock.advance', { duration: 'P7D' });
    await service.ops('work.drain');
    expect(asked()).toEqual(['Machines. SAP for our partners.', 'We do not know SAP']);
    // A launch by hand asks about all.
    await seeRunThrough(service, workspace, setupId);
    expect(asked()).toHaveLength(5);
  });

  it('stops in time while an answer is awaited', async () => {
    const waiting = await startTestService({ RESEARCH_URL: endpoint.url, RESEARCH_MODEL: 'small-1' });
    await waiting.ingest([inFrance('acme', { tagline: 'SAP inside' })]);
    const workspace = await withPersona(waiting);
    const setupId = await signalSetup(workspace, TEMPLATE, { question: QUESTION });
    const isAsked = new Promise<void>((resolve) => {
      endpoint.answer = () => resolve();
    });
    await workspace.call('POST /api/v2/workspace/signal-runs', { agent_id: setupId });
    await isAsked;
    expect(await waiting.stop()).toBeUndefined();
  });
});
