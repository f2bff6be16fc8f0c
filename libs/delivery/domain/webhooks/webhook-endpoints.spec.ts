import type { EventOf } from '#kernel/events/event.js';
import { sampleEndpoint } from '#delivery/testing/sample-endpoint.js';
import { rulesOf } from '#kernel/testing/scenario.js';
import {
  changeEndpoint,
  disableEndpoint,
  disableWithoutSecret,
  enableWithSecret,
  rotateSecret,
  webhookEndpoints,
} from './webhook-endpoints.js';
import type { DisabledReason, WebhookEvents } from './webhook.events.js';

const AT = '2026-03-01T12:00:00.000Z';
const added: EventOf<WebhookEvents> = {
  type: 'WebhookEndpointAdded',
  data: {
    endpointId: 1,
    ...sampleEndpoint,
    secretId: 'secret',
    addedAt: AT,
  },
};
const disabled = (reason: DisabledReason): EventOf<WebhookEvents> => ({
  type: 'WebhookEndpointDisabled',
  data: { endpointId: 1, reason, disabledAt: AT },
});
const byWorkspace = changeEndpoint({ endpointId: 1, changes: {}, enabled: false, now: AT });
const byOperator = disableEndpoint(1, 'operator', AT);

const deciding = rulesOf(webhookEndpoints);

it('stays enabled if a change does not say that it is disabled', () => {
  const changes = { description: 'renamed' };
  deciding([added], changeEndpoint({ endpointId: 1, changes, enabled: undefined, now: AT })).then([
    { type: 'WebhookEndpointChanged', data: { endpointId: 1, changes, changedAt: AT } },
  ]);
});

describe('DLV-04 an endpoint whose secret is lost', () => {
  it('is disabled, unless the secret was rotated meanwhile', () => {
    deciding([added], disableWithoutSecret(1, 'secret', AT)).then([disabled('secret_lost')]);
    deciding([added], disableWithoutSecret(1, 'earlier', AT)).then([]);
  });

  it.each([
    ['its workspace', byWorkspace, 'asked'],
    ['an operator', byOperator, 'operator'],
  ] as const)('stays disabled after a restore or a rotation if %s disables it', (_, disable, reason) => {
    deciding([added, disabled('secret_lost')], disable).then([disabled(reason)]);
    const past = [added, disabled('secret_lost'), disabled(reason)];
    deciding(past, disable).then([]);
    deciding(past, enableWithSecret(1, 'secret', AT)).then([]);
    deciding(past, disableWithoutSecret(1, 'secret', AT)).then([]);
    const rotated = { endpointId: 1, secretId: 'new', previousUntil: AT, rotatedAt: AT };
    deciding(past, rotateSecret(rotated)).then([{ type: 'WebhookSecretRotated', data: rotated }]);
  });

  it('is enabled by a restore or a rotation if nobody disables it', () => {
    const enabled: EventOf<WebhookEvents> = {
      type: 'WebhookEndpointEnabled',
      data: { endpointId: 1, enabledAt: AT },
    };
    const past = [added, disabled('secret_lost')];
    deciding(past, enableWithSecret(1, 'secret', AT)).then([enabled]);
    const rotated = { endpointId: 1, secretId: 'new', previousUntil: AT, rotatedAt: AT };
    deciding(past, rotateSecret(rotated)).then([{ type: 'WebhookSecretRotated', data: rotated }, enabled]);
  });

  it.each(['asked', 'operator', 'gone', 'failing'] as const)(
    'is not recorded as disabled again if it was disabled before: %s',
    (reason) => {
      for (const disable of [byWorkspace, byOperator, disableWithoutSecret(1, 'secret', AT)])
        deciding([added, disabled(reason)], disable).then([]);
    },
  );
});
