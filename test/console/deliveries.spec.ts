import { disableWithoutSecret, webhookEndpoints } from '#delivery/domain/webhooks/webhook-endpoints.js';
import { deliveryRecords, rowKey } from '#delivery/webhooks/delivery-records.js';
import { eventFeed } from '#projections/delivery/event-feed/event-feed.projection.js';
import {
  webhookEndpointKey,
  webhookEndpointViews,
} from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { actionPath, cells, sentAsShown } from '#test/support/console-visitor.js';
import { operatorOf } from '#test/support/console-scene.js';
import { keywordAgent } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { systemContext } from '#test/support/system-context.js';

describe('deliveries in the console', () => {
  const service = scene();
  const workspace = sharedWorkspace(service, { name: 'Acme', credits: 10 });
  let endpointId: number;

  beforeAll(async () => {
    const made = await workspace.call('POST /api/v3/webhook-endpoints', {
      url: 'https://hooks.example.com/in',
    });
    endpointId = made.body.data.id;
  });
  const operator = operatorOf(service);

  const named = () => ({ workspace_id: workspace.id, endpoint_id: endpointId });
  const page = () => `/console/workspaces/${workspace.id}/deliveries`;

  it('shows the endpoints of a workspace, without a secret', async () => {
    const { status, text } = await operator.get(page());
    expect(status).toBe(200);
    expect(cells(text)).toContainEqual(
      expect.arrayContaining([String(endpointId), 'https://hooks.example.com/in', 'standard', 'enabled']),
    );
    expect(text).not.toContain('whsec_');
    expect((await service.ops('endpoint.deliveries', named())).body).toEqual({
      deliveries: [],
      has_more: false,
    });
  });

  it('CON-05 an endpoint is paused and resumed, each shown before it is sent', async () => {
    for (const [command, status] of [
      ['endpoint.pause', 'disabled'],
      ['endpoint.resume', 'enabled'],
    ] as const) {
      const path = actionPath(command, named());
      const done = await sentAsShown(operator, path);
      expect([command, done.status, done.location]).toEqual([command, 303, page()]);
      const body = await workspace.command('endpoint.list');
      expect([command, body.endpoints[0].enabled]).toEqual([command, status === 'enabled']);
      expect((await operator.get(path)).text).toContain(`The endpoint is already ${status}.`);
    }
  });

  it('CON-05 a replay shows the number of failed deliveries, or that there are more than it counts', async () => {
    const records = deliveryRecords(service.service.host.stores.reads);
    const occurredAt = '2026-05-14T10:00:00.000Z';
    const shownFor = async (count: number): Promise<string | undefined> => {
      for (let number = 0; number < count; number += 1) {
        const eventId = `evt_${number}`;
        await records.putRow(rowKey(endpointId, { id: eventId, occurredAt }), {
          ...{ eventId, type: 'run.ended', occurredAt, position: '1', place: number, previousId: null },
          ...{ status: 'failed', attempts: [], nextAttemptMs: null },
        });
      }
      const { text } = await operator.get(actionPath('endpoint.replay', { ...named(), since: '2026-05-01' }));
      return cells(text).find(([name]) => name === 'Failed deliveries of this endpoint')?.[1];
    };
    expect(await shownFor(0)).toBe('0 deliveries');
    expect(await shownFor(1)).toBe('1 delivery');
    expect(await shownFor(100)).toBe('100 deliveries');
    expect(await shownFor(101)).toBe('100 or more deliveries');
    await records.forget(endpointId);
  });

  it('leads from the newest deliveries to the older ones, with the same filter', async () => {
    await service.command('endpoint.pause', named());
    await workspace.run(await keywordAgent(workspace, 'crm'));
    const { reads } = service.service.host.stores;
    const where = { workspaceId: workspace.id };
    const [entry] = await service.service.host.readModels.find(eventFeed, { where, limit: 1 });
    if (entry === undefined) throw new Error('the run left no event');
    const records = deliveryRecords(reads);
    const put = (eventId: string, occurredAt: string) =>
      records.putRow(rowKey(endpointId, { id: eventId, occurredAt }), {
        ...{ eventId, type: 'run.ended', occurredAt, position: '1', place: 1, previousId: null },
        ...{ status: 'failed', attempts: [], nextAttemptMs: null },
      });
    // The last of the first page is an event of the feed; one is older.
    for (let number = 1; number < 100; number += 1) await put(`evt_${number}`, '2099-01-01T00:00:00.000Z');
    await put(entry.id, entry.occurredAt);
    await put('evt_old', '2020-01-01T00:00:00.000Z');
    const { text } = await operator.get(`${page()}?endpoint=${endpointId}&status=failed`);
    expect(text).not.toContain('evt_old');
    const next = /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    expect(next).toBe(`${page()}?endpoint=${endpointId}&status=failed&before=${entry.id}`);
    const older = await operator.get(next ?? '');
    expect(older.text).toContain('evt_old');
    expect(older.text).not.toContain(entry.id);
    expect(older.text).not.toContain('rel="next"');
    const unknown = await service.ops('endpoint.deliveries', { ...named(), before: 'evt_nothing' });
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['before']]);
    await records.forget(endpointId);
    await service.command('endpoint.resume', named());
  });

  it('an endpoint that an operator paused shows this to its workspace', async () => {
    await service.command('endpoint.pause', named());
    const { body } = await workspace.call('GET /api/v3/webhook-endpoints');
    expect([body.data[0].enabled, body.data[0].disabled_reason]).toEqual([false, 'operator']);
    const replay = await service.ops('endpoint.replay', { ...named(), since: new Date().toISOString() });
    expect(replay.status).toBe(409);
    await service.command('endpoint.resume', named());
  });

  it('CON-05 DLV-04 an endpoint whose secret is lost is paused, so that no restored secret enables it', async () => {
    const { commands, readModels } = service.service.host;
    const known = await readModels.get(webhookEndpointViews, webhookEndpointKey(endpointId));
    const lost = disableWithoutSecret(endpointId, known?.secretId ?? '', '2026-05-14T10:00:00.000Z');
    const context = systemContext(workspace.id);
    await commands.handle(webhookEndpoints, String(workspace.id), lost, { context });
    const reason = async (): Promise<string> =>
      (await workspace.command('endpoint.list')).endpoints[0].disabled_reason;
    expect(await reason()).toBe('secret_lost');
    const path = actionPath('endpoint.pause', named());
    expect((await operator.get(page())).text).toContain(`href="${path.replaceAll('&', '&amp;')}"`);
    expect((await sentAsShown(operator, path)).status).toBe(303);
    expect(await reason()).toBe('operator');
    expect((await operator.get(path)).text).toContain('The endpoint is already disabled.');
    await service.command('endpoint.resume', named());
  });

  it('a replay names one event or a time of the last 30 days; anything else is refused and writes nothing', async () => {
    await service.expectSettledEvents([], async () => {
      for (const wrong of [
        {},
        { event: 'evt_1', since: '2026-01-01' },
        { event: 'evt_unknown' },
        { since: '2020-01-01' },
      ]) {
        expect([wrong, (await service.ops('endpoint.replay', { ...named(), ...wrong })).status]).toEqual([
          wrong,
          422,
        ]);
      }
      const other = { ...named(), workspace_id: 999_999 };
      expect((await service.ops('endpoint.replay', { ...other, since: '2026-01-01' })).status).toBe(404);
    });
    await service.expectSettledEvents([expect.stringContaining('Replay')], async () => {
      const done = await service.ops('endpoint.replay', { ...named(), since: new Date().toISOString() });
      expect(done.status).toBe(200);
    });
  });
});
