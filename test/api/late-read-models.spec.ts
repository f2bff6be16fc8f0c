import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { apiKeys } from '#projections/access/api-keys/api-keys.projection.js';
import { workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { lists } from '#projections/lists/lists/lists.projection.js';
import { personas } from '#projections/lists/personas/personas.projection.js';
import { webhookEndpointViews } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { sources } from '#projections/sources/sources/sources.projection.js';
import { heldCalls } from '#test/support/held-calls.js';
import { observedPerson } from '#test/support/observed-network.js';
import { scrape } from '#test/support/prometheus-text.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE } from '#test/support/signal-runs.js';
import { startWebServer } from '#test/support/web-server.js';

/** Whether a write of read models has documents of this view. */
const shows =
  (view: string) =>
  (method: string, [writes]: readonly unknown[]): boolean =>
    method === 'write' &&
    (writes as Parameters<ReadStore['write']>[0]).some(
      ({ generation, documents }) => generation.view.name === view && documents.length > 0,
    );

const ENDPOINTS = '/api/v3/webhook-endpoints';

describe('a write that no read model shows yet', () => {
  const held = heldCalls();
  const service = scene({
    outside: held.outside,
    settings: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', SOURCE_CONTACT: 'https://acme.example/bot' },
    network: [observedPerson('ana')],
  });
  const workspace = sharedWorkspace(service);
  // After a failure too: the service does not stop while a call waits.
  afterEach(held.release);

  it('OPS-02 a key: it is valid at once, and invalid at once when revoked, because keys are read from their streams', async () => {
    held.hold(shows(apiKeys.name));
    const body = await workspace.command('apikey.issue', { label: 'new' });
    await held.reached();
    expect(await service.service.host.readModels.get(apiKeys, String(body.key_id))).toBeNull();
    const asked = () =>
      workspace.call('GET /api/v3/credits/caps', undefined, { authorization: `Bearer ${body.api_key}` });
    expect((await asked()).status).toBe(200);
    held.release();
    await service.drain();
    await workspace.command('apikey.revoke', { key_id: body.key_id });
    expect((await asked()).status).toBe(401);
  });

  it('DLV-04 a webhook endpoint: it is answered with its secret, changed, rotated and deleted', async () => {
    held.hold(shows(webhookEndpointViews.name));
    const key = { 'idempotency-key': 'late-endpoint' };
    const created = await workspace.call(`POST ${ENDPOINTS}`, { url: 'https://hooks.example.test' }, key);
    await held.reached();
    expect([created.status, created.body.data?.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    const { secret, ...endpoint } = created.body.data;
    const at = `${ENDPOINTS}/${endpoint.id}`;
    const changed = await workspace.call(`PATCH ${at}`, { enabled: false });
    const disabled = { enabled: false, disabled_reason: 'asked', disabled_at: expect.any(String) };
    expect(changed.body.data).toEqual({ ...endpoint, ...disabled });
    const rotated = await workspace.call(`POST ${at}/rotate-secret`, {});
    expect(rotated.body.data).toMatchObject({ ...changed.body.data, secret: expect.any(String) });
    expect(rotated.body.data.secret).not.toBe(secret);
    held.release();
    await service.drain();
    const { secret: _, previous_valid_until: until, ...shown } = rotated.body.data;
    expect(Date.parse(until)).toBeGreaterThan(Date.now());
    expect((await workspace.call(`GET ${at}`)).body.data).toEqual(shown);
    held.hold(shows(webhookEndpointViews.name));
    expect((await workspace.call(`DELETE ${at}`)).status).toBe(204);
    expect((await workspace.call(`DELETE ${at}`)).status).toBe(404);
    held.release();
    await service.drain();
  });

  it('LST-30 a persona: a list can be created with it, and changed to it', async () => {
    held.hold(shows(personas.name));
    const id = await workspace.persona();
    await held.reached();
    const list = await workspace.data('POST /api/v2/lists', {
      type: 'customer',
      name: 'L',
      persona_ids: [id],
    });
    expect(list.persona_ids).toEqual([id]);
    const other = await workspace.data('POST /api/v2/lists', { type: 'customer', name: 'L' });
    const changed = await workspace.data(`PUT /api/v2/lists/company/${other.id}`, { persona_ids: [id] });
    expect(changed.persona_ids).toEqual([id]);
  });

  it('OP-15 a persona: a new setup takes it, its launch looks for it, and a new agent has its titles', async () => {
    const own = await service.workspace();
    const rivals = await own.list('competitor');
    held.hold(shows(personas.name));
    const id = await own.persona();
    await held.reached();
    const setup = await own.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
    const launched = await own.call('POST /api/v2/workspace/signal-runs', { signal_setup_id: setup });
    expect([launched.status, launched.body.detail]).toEqual([202, undefined]);
    const agent = await own.data('POST /api/v2/agents', {
      type: 'competitor',
      watchlist_id: rivals.id,
    });
    expect(agent.parameters.resolved_target_persona).toEqual(['CTO']);
    held.release();
    await service.drain();
    const looked: unknown[] = [];
    for await (const { events } of service.service.host.eventStore.readAll())
      for (const { type, data } of events) if (type === 'RunLaunched') looked.push(data);
    expect(looked).toEqual([
      expect.objectContaining({
        persona: expect.objectContaining({ personaId: id, jobTitles: ['CTO'], locations: ['France'] }),
      }),
    ]);
  });

  it('SETUP-20 a list and a setup: a setup, an agent and an endpoint can be about them', async () => {
    const own = await service.workspace();
    held.hold((...call) => shows(lists.name)(...call) || shows(signalSetups.name)(...call));
    const champions = await own.list('champion');
    await held.reached();
    const setup = await own.setup('champion-job-change', { list_id: champions.id });
    const watching = await own.call('POST /api/v2/agents', {
      type: 'champion_tracking',
      watchlist_id: champions.id,
    });
    expect([watching.status, watching.body.errors]).toEqual([201, undefined]);
    const endpoint = {
      url: 'https://hooks.example.test',
      signal_setup_ids: [setup],
      list_ids: [champions.id],
    };
    const created = await own.call(`POST ${ENDPOINTS}`, endpoint);
    expect([created.status, created.body.errors]).toEqual([201, undefined]);
    const unknown = await own.call(`POST ${ENDPOINTS}`, { ...endpoint, signal_setup_ids: [setup, 999_999] });
    expect(unknown.body.errors).toEqual({
      signal_setup_ids: ['must be ids of signal setups of the workspace'],
    });
    held.release();
    await service.drain();
  });

  it('a new workspace: its ingestion status is 503 until the read models show the workspace', async () => {
    held.hold(shows(workspaces.name));
    const creating = service.workspace();
    await held.reached();
    const late = await creating;
    const status = async (): Promise<number> =>
      (await late.call('GET /api/v2/top-account-list/ingestion-status')).status;
    expect(await status()).toBe(503);
    held.release();
    await service.drain();
    expect(await status()).toBe(200);
  });

  it('SRC-03 the new address of a feed: a poll that an operator asks for waits for it before its answer', async () => {
    const feed = '<rss version="2.0"><channel><item><guid>1</guid><title>News</title></item></channel></rss>';
    let isMoved = false;
    await using site = await startWebServer(({ url = '' }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end();
      if (isMoved && url === '/old/feed')
        return void response.writeHead(301, { location: '/new/feed' }).end();
      response.writeHead(200).end(feed);
    });
    const { source_id } = await service.command('source.add', {
      url: `${site.origin}/old/feed`,
      person: 'ana',
      poll: true,
    });
    const lateWrites = async (): Promise<number | undefined> => {
      const { samples } = await scrape(String(service.service.opsUrl), service.token);
      return samples.get('read_models_late_total');
    };
    const before = Number(await lateWrites());
    isMoved = true;
    held.hold(shows(sources.name));
    // It is answered when the time to wait has passed, because the write was made.
    expect(await service.command('source.poll', { source_id })).toMatchObject({ ok: true });
    expect(await lateWrites()).toBe(before + 1);
    held.release();
    await service.drain();
    expect(await service.command('source.show', { source_id })).toMatchObject({
      url: `${site.origin}/new/feed`,
    });
  });
});
