import { sampleEndpoint } from '#delivery/testing/sample-endpoint.js';
import { foldAll } from '#kernel/testing/project.js';
import { webhookEndpointViews } from './webhook-endpoints.projection.js';

const AT = '2026-06-01T10:00:00.000Z';
const event = (type: string, data: object) => ({ type, data: { endpointId: 4, ...data } });
const added = event('WebhookEndpointAdded', {
  ...sampleEndpoint,
  secretId: 'webhook:1:4:a',
  addedAt: AT,
});
const endpointAfter = (...events: Parameters<typeof foldAll>[1]) =>
  foldAll(webhookEndpointViews, [added, ...events]).get('4');

describe('the webhook endpoints', () => {
  it('DLV-03 store where an endpoint begins: at the position of its creation', () => {
    expect(endpointAfter()).toMatchObject({
      id: 4,
      workspaceId: 1,
      status: 'enabled',
      addedPosition: '000000000000',
    });
  });

  it('DLV-04 name the previous secret, and until when it signs too', () => {
    const rotated = event('WebhookSecretRotated', { secretId: 'b', previousUntil: AT, rotatedAt: AT });
    expect(endpointAfter(rotated)).toMatchObject({
      secretId: 'b',
      previousSecretId: 'webhook:1:4:a',
      previousUntil: AT,
    });
  });

  it('show why an endpoint is disabled, and count how often it was enabled', () => {
    const disabled = event('WebhookEndpointDisabled', { reason: 'gone', disabledAt: AT });
    const enabled = event('WebhookEndpointEnabled', { enabledAt: AT });
    expect(endpointAfter(disabled)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
      enabledTimes: 1,
    });
    expect(endpointAfter(disabled, enabled)).toMatchObject({
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
      enabledTimes: 2,
    });
  });

  it('merge changes, and are removed when deleted', () => {
    const changed = event('WebhookEndpointChanged', { changes: { types: ['run.ended'] }, changedAt: AT });
    expect(endpointAfter(changed)).toMatchObject({ url: 'https://hooks.example.test', types: ['run.ended'] });
    expect(endpointAfter(event('WebhookEndpointDeleted', { deletedAt: AT }), changed)).toBeUndefined();
  });

  it('list the requested replays, in their order', () => {
    const replay = (eventId: string) => event('WebhookReplayAsked', { eventId, since: null, askedAt: AT });
    expect(endpointAfter(replay('evt_1_0'), replay('evt_2_0'))?.replays).toEqual([
      { position: '000000000001', eventId: 'evt_1_0', since: null },
      { position: '000000000002', eventId: 'evt_2_0', since: null },
    ]);
  });
});
