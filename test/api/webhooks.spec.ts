import { setTimeout as pause } from 'node:timers/promises';
import { shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { openKeptSecrets } from '#runtime/copy-views.js';
import { secretsPlace } from '#runtime/stores.js';
import { webhookEndpointViews } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { answered, refusal } from '#test/support/expected-answers.js';
import { KEYWORD_TEMPLATE } from '#test/support/signal-runs.js';
import { employed, keywordAgent, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { startHostileReceiver } from '#test/support/hostile-receiver.js';
import { inFeedOrder, startReceiver, type Receiver } from '#test/support/webhook-receiver.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const ENDPOINTS = '/api/v3/webhook-endpoints';
const HOSTILE = ['hangs', 'drips', 'floods', 'floods a success', 'closes in the body'] as const;

describe('webhook endpoints', () => {
  let agentId: number;
  const receivers: Receiver[] = [];
  const service = scene({
    settings: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' },
    network: [observedCompany('acme'), observedPerson('ana', employed('acme', 'VP Sales'))],
  });
  const workspace = sharedWorkspace(service, {}, async (own) => {
    await own.persona({ job_title: ['VP Sales'], location: ['France'] });
    agentId = await keywordAgent(own, 'crm');
  });
  const other = sharedWorkspace(service);
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
    for (const { id } of await workspace.data(`GET ${ENDPOINTS}`))
      await workspace.call(`DELETE ${ENDPOINTS}/${id}`);
  });

  async function receiver(): Promise<Receiver> {
    const started = await startReceiver();
    receivers.push(started);
    return started;
  }
  const create = (body: object, asker = workspace, headers = {}): Promise<Answer> =>
    asker.call(`POST ${ENDPOINTS}`, body, headers);
  async function endpointAt(hook: Receiver, body: object = {}) {
    const created = await answered(201, create({ url: hook.url, ...body }));
    hook.secrets = [created.data.secret];
    return created.data;
  }
  /** One signal and the end of a run. */
  async function newRun(): Promise<void> {
    await service.post('ana', 'A CRM');
    await workspace.run(agentId);
  }
  /** The names of the stored secrets of an endpoint, or of all endpoints of the workspace. */
  async function secretNames(endpointId?: number): Promise<readonly string[]> {
    const kept = await openKeptSecrets(secretsPlace(service.settings));
    const names = [...(await kept.all()).keys()];
    await kept.close();
    const begin = `webhook:${workspace.id}:${endpointId === undefined ? '' : `${endpointId}:`}`;
    return names.filter((name) => name.startsWith(begin));
  }
  const feed = (query = '') => workspace.data(`GET /api/v3/events?limit=100${query}`);
  const deliveriesOf = async (id: number, query = '') =>
    (await workspace.call(`GET ${ENDPOINTS}/${id}/deliveries${query}`)).body;
  /** Looks until the result is as expected. */
  async function found<Found>(look: () => Promise<Found>, is: (seen: Found) => boolean): Promise<Found> {
    let seen = await look();
    await eventually(async () => is(seen) || is((seen = await look())));
    return seen;
  }
  /** The only delivery of an endpoint, once it is listed. */
  const onlyDeliveryOf = async (id: number, query = '') => {
    const listed = await found(
      () => deliveriesOf(id, query),
      ({ data }) => data.length === 1,
    );
    return listed.data[0];
  };

  it('DLV-03 DLV-04 get the events since their creation, signed, as in the feed', async () => {
    await newRun();
    const before = await feed();
    const hook = await receiver();
    await endpointAt(hook);
    await newRun();
    const received = inFeedOrder(await hook.until(2));
    const after = (await feed()).slice(before.length);
    expect(received.map(({ id }) => id)).toEqual(after.map(({ id }: { id: string }) => id));
    const [first, second] = received;
    expect(first?.body).toEqual({ ...after[0], previous_id: null });
    expect(second?.body).toEqual({ ...after[1], previous_id: after[0].id });
  });

  it('DLV-05 get only the events that they want, and previous_id is the previous one of those', async () => {
    const [hook, ofOther] = [await receiver(), await receiver()];
    await endpointAt(hook, { types: ['run.ended'] });
    const setupId = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['nothing'] });
    await endpointAt(ofOther, { signal_setup_ids: [setupId] });
    await newRun();
    await newRun();
    const received = inFeedOrder(await hook.until(2));
    const [first, second] = (await feed('&type=run.ended')).slice(-2);
    expect(received.map(({ body }) => body)).toEqual([
      { ...first, previous_id: null },
      { ...second, previous_id: first.id },
    ]);
    await workspace.run(setupId);
    const [only] = await ofOther.until(1);
    expect(only?.body).toMatchObject({ type: 'run.ended', previous_id: null });
    expect(ofOther.received.length).toBe(1);
  });

  it('of another workspace are not shown, and get none of its events', async () => {
    const hook = await receiver();
    const { id } = await endpointAt(hook);
    const foreign = await receiver();
    const { body: theirs } = await create({ url: foreign.url }, other);
    await newRun();
    await hook.until(2);
    expect(foreign.received).toEqual([]);
    for (const route of [
      `GET ${ENDPOINTS}/${id}`,
      `DELETE ${ENDPOINTS}/${id}`,
      `GET ${ENDPOINTS}/${id}/deliveries`,
      `POST ${ENDPOINTS}/${id}/test`,
    ])
      expect([route, (await other.call(route)).status]).toEqual([route, 404]);
    for (const [route, sent] of [
      [`PATCH ${ENDPOINTS}/${id}`, { enabled: false }],
      [`POST ${ENDPOINTS}/${id}/rotate-secret`, {}],
      [`POST ${ENDPOINTS}/${id}/replay`, { since: new Date().toISOString() }],
    ] as const)
      expect([route, (await other.call(route, sent)).status]).toEqual([route, 404]);
    const seen: readonly { readonly id: number }[] = await other.data(`GET ${ENDPOINTS}`);
    expect(seen.map((one) => one.id)).toEqual([theirs.data.id]);
    await other.call(`DELETE ${ENDPOINTS}/${theirs.data.id}`);
  });

  it('are refused with forbidden addresses, and with ids that the workspace does not have, naming the field', async () => {
    const wrong: readonly (readonly [string, object])[] = [
      ['url', { url: 'https://10.0.0.1/hook' }],
      ['url', { url: 'https://[::1]/hook' }],
      ['url', { url: 'http://8.8.8.8/hook' }],
      ['url', { url: 'ftp://hooks.example.test' }],
      ['url', { url: 'https://me:secret@hooks.example.test' }],
      ['url', {}],
      ['signal_setup_ids', { url: 'https://hooks.example.test', signal_setup_ids: [999_999] }],
      ['list_ids', { url: 'https://hooks.example.test', list_ids: [other.talId] }],
      ['signal_template_keys', { url: 'https://hooks.example.test', signal_template_keys: ['no-such'] }],
      ['types', { url: 'https://hooks.example.test', types: [] }],
      ['rate_per_second', { url: 'https://hooks.example.test', format: 'slack', rate_per_second: 5 }],
    ];
    for (const [field, body] of wrong) {
      await service.expectSettledEvents([], () => refusal(422, create(body), field));
    }
  });

  it('are narrowed to templates of the catalogue of the installation, and to those that were retired', async () => {
    const { buckets, templates } = shippedCatalogue();
    const [template] = templates;
    const added = { ...template, key: 'template-of-this-installation' };
    await service.ops('catalogue.sync', { catalogue: { buckets, templates: [...templates, added] } });
    const retired = templates.find((each) => each.retired)?.key;
    const keys = [added.key, added.key, retired];
    const created = await answered(
      201,
      create({ url: 'https://hooks.example.test/hook', signal_template_keys: keys }),
    );
    expect(created.data.signal_template_keys).toEqual(keys);
  });

  it('are limited to 20, also for concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 22 }, () =>
        create({ url: 'https://hooks.example.test/hook', types: ['run.ended'] }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBe(20);
    expect(statuses.filter((status) => status === 409).length).toBe(2);
    expect(await workspace.data(`GET ${ENDPOINTS}`)).toHaveLength(20);
    expect(await secretNames()).toHaveLength(20);
  });

  it('DLV-04 show the secret once, and store it in no event and not for an Idempotency-Key', async () => {
    const hook = await receiver();
    const body = { url: hook.url, types: ['run.ended'], description: 'ours' };
    const key = { 'idempotency-key': 'endpoint-once' };
    const first = await create(body, workspace, key);
    const again = await create(body, workspace, key);
    const { secret, ...endpoint } = first.body.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(again.body.data).toEqual({ ...endpoint, secret: null });
    expect(await workspace.data(`GET ${ENDPOINTS}/${endpoint.id}`)).toEqual(endpoint);
    for await (const batch of service.service.host.eventStore.readAll({ after: '' })) {
      const text = JSON.stringify(batch.events.map(({ data, metadata }) => ({ data, metadata })));
      expect(text.includes(secret)).toBe(false);
    }
  });

  it('DLV-04 keep their present and previous secret, and none after their deletion', async () => {
    const { id } = await endpointAt(await receiver());
    for (const kept of [2, 2, 2]) {
      await answered(200, workspace.call(`POST ${ENDPOINTS}/${id}/rotate-secret`, {}));
      expect(await secretNames(id)).toHaveLength(kept);
    }
    const known = await service.service.host.readModels.get(webhookEndpointViews, String(id));
    expect(new Set(await secretNames(id))).toEqual(new Set([known?.secretId, known?.previousSecretId]));
    await Promise.all([
      workspace.call(`POST ${ENDPOINTS}/${id}/rotate-secret`, {}),
      workspace.call(`DELETE ${ENDPOINTS}/${id}`),
    ]);
    expect(await secretNames(id)).toEqual([]);
  });

  it('have no deliveries after their deletion, also if an attempt is in flight', async () => {
    const hook = await receiver();
    const { id } = await endpointAt(hook, { types: ['run.ended'] });
    const held: (() => void)[] = [];
    hook.answer = (_, response) => void held.push(() => void response.writeHead(500).end());
    await newRun();
    await hook.until(1);
    await answered(204, workspace.call(`DELETE ${ENDPOINTS}/${id}`));
    for (const answer of held) answer();
    const { records } = service.service.host.webhooks;
    const left = async () => [await records.state(id), await records.rows(id, 10)];
    // The queue ends when its attempt has ended, and writes its result.
    await pause(1_000);
    expect(await left()).toEqual([null, []]);
  });

  it('DLV-04 sign with both secrets while the old one is valid', async () => {
    const hook = await receiver();
    const { id, secret } = await endpointAt(hook, { types: ['run.ended'] });
    const rotated = await workspace.call(`POST ${ENDPOINTS}/${id}/rotate-secret`, {
      previous_valid_hours: 1,
    });
    hook.secrets = [secret, rotated.body.data.secret];
    await newRun();
    const [both] = await hook.until(1);
    expect(both?.signatures).toBe(2);
    const last = await workspace.call(`POST ${ENDPOINTS}/${id}/rotate-secret`, { previous_valid_hours: 0 });
    hook.secrets = [last.body.data.secret];
    await newRun();
    const [, one] = await hook.until(2);
    expect(one?.signatures).toBe(1);
  });

  it('DLV-05 retry failed deliveries, with the same id and body, and list each attempt', async () => {
    const hook = await receiver();
    const { id } = await endpointAt(hook, { types: ['run.ended'] });
    hook.answer = (_, response) => void response.writeHead(500).end('not now');
    await newRun();
    await hook.until(1);
    const failed = await onlyDeliveryOf(id);
    expect(failed).toMatchObject({
      event_id: hook.received[0]?.id,
      type: 'run.ended',
      status: 'retrying',
      next_attempt_at: expect.any(String),
      // DLV-06: only an exception of the operator allows the address
      attempts: [{ outcome: 'rejected', status_code: 500, answer: null, is_replay: false }],
    });
    hook.answer = (_, response) => void response.writeHead(200).end();
    const [first, again] = await hook.until(2);
    expect(again).toEqual(first);
    const delivered = await onlyDeliveryOf(id, '?status=delivered');
    expect(delivered.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'rejected',
      'delivered',
    ]);
    expect((await deliveriesOf(id, '?status=retrying')).data).toEqual([]);
  });

  it('follow no redirect, and are disabled when they are gone, with an event for other endpoints and the feed', async () => {
    const [hook, watching] = [await receiver(), await receiver()];
    const { id } = await endpointAt(hook, { types: ['run.ended'] });
    await endpointAt(watching, { types: ['endpoint.disabled'] });
    hook.answer = (_, response) => void response.writeHead(302, { location: watching.url }).end();
    await newRun();
    const row = await onlyDeliveryOf(id);
    expect(row.attempts[0]).toMatchObject({ outcome: 'redirected', status_code: 302 });
    hook.answer = (_, response) => void response.writeHead(410).end();
    const [delivery] = await watching.until(1);
    expect(delivery?.body).toMatchObject({
      type: 'endpoint.disabled',
      data: { id, disabled_reason: 'gone' },
    });
    expect((await feed('&type=endpoint.disabled')).at(-1).data).toMatchObject({ id, enabled: false });
    hook.answer = (_, response) => void response.writeHead(200).end();
    await workspace.call(`PATCH ${ENDPOINTS}/${id}`, { enabled: true });
    await newRun();
    await found(
      async () => hook.received.length,
      (count) => count >= 3,
    );
  });

  it('get a test event, and show its result, also if disabled', async () => {
    const hook = await receiver();
    const { id } = await endpointAt(hook, { types: ['run.ended'] });
    await workspace.call(`PATCH ${ENDPOINTS}/${id}`, { enabled: false });
    const { body } = await workspace.call(`POST ${ENDPOINTS}/${id}/test`);
    expect(body.data).toMatchObject({ outcome: 'delivered', status_code: 204, answer: null });
    const [test] = hook.received;
    expect(test?.body).toMatchObject({ type: 'endpoint.test', data: { id, disabled_reason: 'asked' } });
    await hook.close();
    receivers.splice(receivers.indexOf(hook), 1);
    const refused = await workspace.call(`POST ${ENDPOINTS}/${id}/test`);
    expect(refused.body.data).toMatchObject({ outcome: 'unreachable', status_code: null });
  });

  it('DLV-05 get one test at a time', async () => {
    const hook = await receiver();
    const { id } = await endpointAt(hook, { types: ['run.ended'] });
    const test = () => workspace.call(`POST ${ENDPOINTS}/${id}/test`);
    const answers: (() => void)[] = [];
    hook.answer = (_, response) => void answers.push(() => response.writeHead(200).end());
    const first = test();
    await found(
      async () => answers.length,
      (count) => count === 1,
    );
    for (const { status, headers } of await Promise.all([test(), test()]))
      expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    answers[0]?.();
    expect((await first).body.data).toMatchObject({ outcome: 'delivered', status_code: 200 });
    hook.answer = (_, response) => void response.writeHead(200).end();
    expect((await test()).status).toBe(200);
    expect(hook.received).toHaveLength(2);
  });

  it('DLV-03 replay one event or all since a time, with the same ids, at most 30 days back', async () => {
    const hook = await receiver();
    const since = new Date().toISOString();
    const { id } = await endpointAt(hook);
    const replay = (body: object): Promise<Answer> => workspace.call(`POST ${ENDPOINTS}/${id}/replay`, body);
    await newRun();
    const [first, second] = inFeedOrder(await hook.until(2));
    expect((await replay({ event: second?.id })).status).toBe(202);
    expect((await hook.until(3))[2]).toEqual(second);
    expect((await replay({ since })).status).toBe(202);
    expect((await hook.until(5)).slice(3)).toEqual([first, second]);
    const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString();
    for (const body of [{ since: longAgo }, { event: 'evt_none' }, {}, { since, event: first?.id }])
      expect([body, (await replay(body)).status]).toEqual([body, 422]);
    await workspace.call(`PATCH ${ENDPOINTS}/${id}`, { enabled: false });
    expect((await replay({ since })).body).toMatchObject({ status: 409, title: 'Endpoint disabled' });
  });

  it('DLV-06 list a replay behind the first attempt, and an event that never arrived as failed', async () => {
    const hook = await receiver();
    await newRun();
    const [early] = (await feed('&type=run.ended')).slice(-1);
    const { id } = await endpointAt(hook, { types: ['run.ended'] });
    const replay = (event: string): Promise<Answer> =>
      answered(202, workspace.call(`POST ${ENDPOINTS}/${id}/replay`, { event }));
    await newRun();
    const [sent] = await hook.until(1);
    await onlyDeliveryOf(id);
    hook.answer = (_, response) => void response.writeHead(500).end();
    await replay(sent?.id ?? '');
    await replay(early.id);
    const listed = await found(
      () => deliveriesOf(id),
      ({ data }) => data.length === 2,
    );
    const outcomes = listed.data.map(
      ({ status, attempts }: { status: string; attempts: readonly { readonly outcome: string }[] }) => [
        status,
        ...attempts.map(({ outcome }) => outcome),
      ],
    );
    expect(outcomes).toEqual([
      ['delivered', 'delivered', 'rejected'],
      ['failed', 'rejected'],
    ]);
    hook.answer = (_, response) => void response.writeHead(200).end();
    await replay(early.id);
    const failed = await found(
      () => deliveriesOf(id, '?status=failed'),
      ({ data }) => data.length === 0,
    );
    expect(failed.data).toEqual([]);
  });

  it('DLV-04 are disabled if their secret is lost, and do not sign with another until it is rotated', async () => {
    const hook = await receiver();
    const { id } = await endpointAt(hook, { types: ['run.ended'] });
    const known = await service.service.host.readModels.get(webhookEndpointViews, String(id));
    await service.service.host.stores.secrets.delete([known?.secretId ?? '']);
    await newRun();
    const shown = () => workspace.data(`GET ${ENDPOINTS}/${id}`);
    const disabled = await found(shown, ({ enabled }) => enabled === false);
    expect(disabled.disabled_reason).toBe('secret_lost');
    expect(hook.received).toEqual([]);
    const refused = await workspace.call(`PATCH ${ENDPOINTS}/${id}`, { enabled: true });
    expect(refused.body).toMatchObject({ status: 409, title: 'Secret lost' });
    expect((await workspace.call(`POST ${ENDPOINTS}/${id}/test`)).status).toBe(409);
    // The delivery may come before the answer.
    const rotated = workspace.data(`POST ${ENDPOINTS}/${id}/rotate-secret`, {});
    hook.secrets = rotated.then(({ secret }) => [secret]);
    const [late] = await hook.until(1);
    expect(late?.body.type).toBe('run.ended');
    expect((await shown()).enabled).toBe(true);
  });

  it('DLV-05 are not delayed by receivers that hang, drip or flood', async () => {
    const hostile = await Promise.all(HOSTILE.map(startHostileReceiver));
    const ids: number[] = [];
    for (const { url } of hostile) ids.push((await create({ url })).body.data.id);
    const [hook, foreign] = [await receiver(), await receiver()];
    await endpointAt(hook);
    const { body } = await create({ url: foreign.url, types: ['run.ended'] }, other);
    foreign.secrets = [body.data.secret];
    for (let run = 0; run < 3; run += 1) await newRun();
    await hook.until(6);
    await other.run(await keywordAgent(other, 'crm'));
    await foreign.until(1);
    // The hanging ones have not even failed yet: everything overtook them.
    expect(await Promise.all(ids.slice(0, 2).map((id) => deliveriesOf(id)))).toEqual(
      ids.slice(0, 2).map(() => ({ data: [], meta: { has_more: false } })),
    );
    for (const { connections, sentBytes } of hostile) {
      expect(connections()).toBeGreaterThan(0);
      expect(sentBytes()).toBeLessThan(200 * 1024 ** 2);
    }
    await other.call(`DELETE ${ENDPOINTS}/${body.data.id}`);
    for (const id of ids) await workspace.call(`DELETE ${ENDPOINTS}/${id}`);
    await Promise.all(hostile.map(({ close }) => close()));
  });

  it('send messages of Slack, one per second', async () => {
    const hook = await receiver();
    const { id, rate_per_second: rate } = await endpointAt(hook, { format: 'slack' });
    expect(rate).toBe(1);
    await newRun();
    const [signal] = await hook.until(1);
    expect(signal?.body).toMatchObject({
      text: expect.stringMatching(/^New signal: /),
      blocks: [{ type: 'section', text: { type: 'mrkdwn' } }, { type: 'context' }],
    });
    // A change does not make it faster.
    const change = (body: object) => workspace.call(`PATCH ${ENDPOINTS}/${id}`, body);
    await service.expectSettledEvents([], () =>
      refusal(422, change({ rate_per_second: 5 }), 'rate_per_second'),
    );
    expect((await change({ rate_per_second: null })).body.data.rate_per_second).toBe(1);
    expect((await change({ description: 'sales' })).body.data.rate_per_second).toBe(1);
    expect((await change({ format: 'standard', rate_per_second: 5 })).body.data.rate_per_second).toBe(5);
    expect((await change({ format: 'slack' })).body.data.rate_per_second).toBe(1);
    expect((await workspace.call(`DELETE ${ENDPOINTS}/${id}`)).status).toBe(204);
  });

  it('a change of the format changes no rate: Slack gets one per second, and standard the rate that was sent', async () => {
    const rateAfter = async (id: number, body: object): Promise<unknown> =>
      (await answered(200, workspace.call(`PATCH ${ENDPOINTS}/${id}`, body))).data.rate_per_second;
    const url = 'https://hooks.example.test';
    for (const [sent, expected] of [
      [{ url }, null],
      [{ url, format: 'slack' }, null],
      [{ url, rate_per_second: 5 }, 5],
      [{ url, format: 'slack', rate_per_second: 1 }, 1],
    ] as const) {
      const { id } = (await answered(201, create(sent))).data;
      expect([sent, await rateAfter(id, { format: 'slack' })]).toEqual([sent, 1]);
      expect([sent, await rateAfter(id, { description: 'sales' })]).toEqual([sent, 1]);
      expect([sent, await rateAfter(id, { format: 'standard' })]).toEqual([sent, expected]);
    }
  });

  it('give one event by its id, as in the feed, and none of another workspace', async () => {
    const [event] = await feed();
    const { body } = await workspace.call(`GET /api/v3/events?event=${event.id}`);
    expect(body).toEqual({ data: [event], meta: { cursor: { next: event.id, has_more: false } } });
    // An id that was not found is no cursor.
    const none = { data: [], meta: { cursor: { next: null, has_more: false } } };
    expect((await other.call(`GET /api/v3/events?event=${event.id}`)).body).toEqual(none);
    expect((await workspace.call('GET /api/v3/events?event=nothing')).body).toEqual(none);
  });
});
