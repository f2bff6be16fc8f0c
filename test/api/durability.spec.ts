import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  IN_FRANCE,
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import {
  detectionsOf,
  KEYWORD_TEMPLATE,
  launchRun,
  movementsOf,
  pollRun,
  postNames,
  seeRunThrough,
  signalSetup,
} from '#test/support/signal-runs.js';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

/** The workspace, with its key used against the service that currently runs on its data directory. */
function sameWorkspaceIn(service: TestService, { apiKey, ...workspace }: TestWorkspace): TestWorkspace {
  return {
    ...workspace,
    apiKey,
    call: (route, body, headers = {}) =>
      service.call(route, body, { authorization: `Bearer ${apiKey}`, ...headers }),
  };
}

describe('a stopped and restarted service', () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'signal-ledger-'));
  let service: TestService;
  let workspace: TestWorkspace;
  const runIds: number[] = [];

  const restart = async (): Promise<void> => {
    await service.service.stop();
    service = await startTestService({ CLOCK: 'manual' }, dataDirectory);
    workspace = sameWorkspaceIn(service, workspace);
  };

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' }, dataDirectory);
    await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    workspace = await service.workspace();
    const persona = { job_title: ['VP Sales'], location: ['France'] };
    await workspace.call('POST /api/v2/personas', persona);
    await service.ingest([
      observedCompany('acme'),
      observedPerson('ana', { ...IN_FRANCE, ...employed('acme', 'VP Sales') }),
      observedPost('crm', 'ana', 'a crm', '2026-05-01T09:00:00Z'),
      observedPost('erp', 'ana', 'an erp', '2026-05-02T09:00:00Z'),
    ]);
  });
  afterAll(() => service.stop());

  it('INV-08 STM-11 completes a run that was in progress, charged once, and allows the next launch', async () => {
    const agentId = await keywordAgent(workspace, 'crm');
    await service.service.host.runner.stop();
    const launched = await launchRun(workspace, agentId);
    const runId = launched.body[0].signal_request_id;
    runIds.push(runId);
    await restart();
    await service.ops('work.drain');
    expect((await pollRun(workspace, runId)).body).toMatchObject({
      stage: 'completed',
      matches_found: 1,
      credits_spent: 10,
    });
    const before = await movementsOf(workspace);
    expect(before).toMatchObject([{ status: 'captured', credits: 10 }]);
    await restart();
    expect(await seeRunThrough(service, workspace, agentId)).toMatchObject({ matches_found: 0 });
    expect(await movementsOf(workspace)).toEqual(before);
    const { body } = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect(body).toMatchObject({ ok: true, differences: [] });
  });

  it('OP-36 OP-13 runs with parameters, persona and price as at the launch; the next run uses the new ones', async () => {
    const words = (...tracking_keywords: readonly string[]) => ({ parameters: { tracking_keywords } });
    const setupId = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
    await service.service.host.runner.stop();
    const launched = await launchRun(workspace, setupId);
    const runId = launched.body[0].signal_request_id;
    runIds.push(runId);
    // while it is in progress
    await service.ops('clock.set', { now: '2026-06-02T10:00:00.000Z' });
    await service.ingest([observedPost('crm-later', 'ana', 'a crm', '2026-06-01T10:00:01Z')]);
    expect((await workspace.call(`PATCH /api/v3/signal-setups/${setupId}`, words('erp'))).status).toBe(200);
    const [persona] = (await workspace.call('GET /api/v2/personas')).body.data;
    const changed = { job_title: ['CTO'] };
    expect((await workspace.call(`PATCH /api/v2/personas/${persona.id}`, changed)).status).toBe(200);
    await service.ops('prices.set', { item: `discovery:${KEYWORD_TEMPLATE}`, credits: 40 });
    await restart();
    await service.ops('work.drain');
    expect((await pollRun(workspace, runId)).body).toMatchObject({
      stage: 'completed',
      matches_found: 1,
      credits_spent: 10,
    });
    expect(postNames(await detectionsOf(workspace, { agent_id: setupId }))).toEqual(['crm']);

    // Ana is no CTO: the next run finds the erp, of second priority and free
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({
      matches_found: 1,
      credits_spent: 0,
    });
    expect(postNames(await detectionsOf(workspace, { agent_id: setupId }))).toEqual(['crm', 'erp']);
    await workspace.call(`PATCH /api/v2/personas/${persona.id}`, { job_title: ['VP Sales'] });
    const dear = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['erp'] });
    expect(await seeRunThrough(service, workspace, dear)).toMatchObject({ credits_spent: 40 });
  });

  it('INV-10 answers every route as before after every read model was rebuilt', async () => {
    await workspace.call('POST /api/v2/lists', { type: 'customer', name: 'Customers', tier: 1 });
    const run = await seeRunThrough(service, workspace, await keywordAgent(workspace, 'erp'));
    runIds.push(run.signal_request_id);
    const held = { workspace_id: workspace.id, key: 'elsewhere', credits: '1.5', product: 'testing' };
    await service.ops('credits.hold', held);
    const before = await everyAnswer(workspace, runIds);
    expect(Object.keys(before).length).toBeGreaterThan(25);
    const { body } = await service.ops('projections.list');
    const names: readonly string[] = body.projections.map(({ name }: { readonly name: string }) => name);
    expect(names.length).toBeGreaterThan(15);
    const rebuilt = await service.ops('projections.rebuild', {});
    expect(rebuilt.status).toBe(200);
    expect(rebuilt.body).toMatchObject({
      ok: true,
      rebuilt: names.map((name) => ({ name, outcome: 'live' })),
    });
    expect(await everyAnswer(workspace, runIds)).toEqual(before);
    await restart();
    expect(await everyAnswer(workspace, runIds)).toEqual(before);
  });
});

/** The bodies of every reading route, of collections and of each object in them. */
async function everyAnswer(
  workspace: TestWorkspace,
  runIds: readonly number[],
): Promise<Readonly<Record<string, Answer['body']>>> {
  const answers: Record<string, Answer['body']> = {};
  const ask = async (route: string, body?: object): Promise<readonly Answer['body'][]> => {
    const answer = await workspace.call(route, body);
    expect([route, answer.status]).toEqual([route, 200]);
    answers[route] = answer.body;
    return Array.isArray(answer.body.data) ? answer.body.data : [];
  };
  const each = async (collection: string, one: (row: Answer['body']) => string): Promise<void> => {
    for (const row of await ask(`GET ${collection}`)) await ask(`GET ${one(row)}`);
  };
  await each('/api/v3/signal-templates?page_size=100', ({ id }) => `/api/v3/signal-templates/${id}`);
  await ask('GET /api/v3/signal-buckets');
  await each('/api/v3/signal-setups', ({ id }) => `/api/v3/signal-setups/${id}`);
  await each('/api/v3/signal-setups?page_size=50', ({ id }) => `/api/v3/signal-setups/${id}/stats`);
  await each('/api/v2/agents', ({ id }) => `/api/v2/agents/${id}`);
  await each('/api/v2/personas', ({ id }) => `/api/v2/personas/${id}`);
  await each('/api/v2/lists?include_archived=true', ({ id, kind }) => `/api/v2/lists/${kind}/${id}`);
  await each('/api/v2/contents', ({ id }) => `/api/v2/contents/${id}`);
  await ask('GET /api/v3/usage');
  await ask('GET /api/v3/credits/balance');
  await ask('POST /api/v3/signals/query', {});
  const detections = await ask('POST /api/v2/workspace/signals/query', { limit: 100 });
  expect(detections.length).toBeGreaterThan(2);
  for (const { lead_id, company_id } of detections) {
    await ask(`GET /api/v2/leads/${lead_id}`);
    await ask(`GET /api/v2/companies/${company_id}`);
  }
  for (const runId of runIds) await ask(`GET /api/v2/workspace/signal-runs/${runId}`);
  return answers;
}
