import { Nullable, Type, type Static } from '#kernel/values/schema.js';
import { statedEndpointView, WebhookEndpointView } from '#delivery/answers/webhook-endpoint.view.js';
import {
  addEndpoint,
  requireEndpoint,
  tooManyEndpoints,
  webhookEndpoints,
} from '#delivery/domain/webhooks/webhook-endpoints.js';
import type { EndpointConfiguration } from '#delivery/domain/webhooks/webhook.events.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { configurationOf, invalidEndpoint, NewEndpointBody } from './webhook-endpoint.body.js';

/** An endpoint with its secret, which is shown once. */
export const EndpointWithSecret = Type.Composite(
  [
    WebhookEndpointView,
    /** null if the answer to an Idempotency-Key is replayed. */
    Type.Object({ secret: Nullable(Type.String()) }),
  ],
  { title: 'WebhookEndpointWithSecret' },
);
export type EndpointWithSecret = Static<typeof EndpointWithSecret>;

const DEFAULTS: Omit<EndpointConfiguration, 'url'> = {
  types: null,
  signalSetupIds: null,
  signalTemplateKeys: null,
  listIds: null,
  description: null,
  ratePerSecond: null,
  format: 'standard',
};

type Created = { readonly data: EndpointWithSecret };

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/webhook-endpoints',
  summary: 'Add a webhook endpoint',
  description:
    'Later events of the workspace are sent to `url`, signed as defined by Standard Webhooks ' +
    '(https://www.standardwebhooks.com), with at most ten attempts each. `secret` verifies them and is shown once. `types` ' +
    'are the events that the endpoint receives; absent or null: all, including types of later versions. `signal_setup_ids` ' +
    'and `signal_template_keys` filter `signal.detected` and `run.ended`, `list_ids` filters `list.member_unresolved`. With ' +
    '`format` `slack` the body is a Slack message, at most one a second. A workspace has at most 20 endpoints.',
  status: 201,
  body: NewEndpointBody,
  response: DataOf(EndpointWithSecret),
  shownOnce: ['secret'],
  problems: [tooManyEndpoints, invalidEndpoint],
})
export class CreateWebhookEndpoint extends EndpointCommand<Created, { body: NewEndpointBody }> {}

handle(CreateWebhookEndpoint, async ({ workspaceId, body, context }, ports): Promise<Created> => {
  const { commands, webhooks } = ports;
  const endpointId = await ports.ids.next('webhookEndpoint');
  const { answer: endpoint } = await webhooks.withNewSecret(workspaceId, endpointId, (newSecret) => {
    const prepare = async () => {
      const configuration = await configurationOf(ports, workspaceId, body);
      const addedAt = ports.clock.now().toISOString();
      const secretId = await newSecret();
      return addEndpoint({ ...DEFAULTS, url: body.url, ...configuration, endpointId, secretId, addedAt });
    };
    return commands.handle(
      webhookEndpoints,
      String(workspaceId),
      { prepare },
      { context, answer: (state) => requireEndpoint(state, endpointId) },
    );
  });
  return { data: { ...statedEndpointView(endpoint), secret: await webhooks.secret(endpoint.secretId) } };
});
