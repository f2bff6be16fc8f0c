import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { Type, Timestamp, Nullable } from '#kernel/values/schema.js';
import { HOUR_MS } from '#kernel/values/durations.js';
import { statedEndpointView } from '#delivery/answers/webhook-endpoint.view.js';
import {
  displacedSecretIds,
  requireEndpoint,
  rotateSecret,
  unknownEndpoint,
  webhookEndpoints,
} from '#delivery/domain/webhooks/webhook-endpoints.js';
import { DefaultsTo } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { EndpointWithSecret } from './create-endpoint.command.js';
import { endpointPath } from './webhook-endpoint.body.js';

const DEFAULT_HOURS = 24;
const MOST_HOURS = 168;

export class RotateSecretBody {
  @IsOptional()
  @DefaultsTo(DEFAULT_HOURS)
  @IsInt()
  @Min(0)
  @Max(MOST_HOURS)
  previous_valid_hours?: number;
}

const Rotated = Type.Composite(
  [EndpointWithSecret, Type.Object({ previous_valid_until: Nullable(Timestamp) })],
  { title: 'RotatedWebhookSecret' },
);
type Answer = { readonly data: EndpointWithSecret & { readonly previous_valid_until: string | null } };

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/webhook-endpoints/:endpoint_id/rotate-secret',
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Creates a new secret, which is shown once. For `previous_valid_hours` each delivery is signed with both secrets; the ' +
    'secret before these is deleted. A rotation enables an endpoint whose secret was lost.',
  params: endpointPath,
  body: RotateSecretBody,
  response: DataOf(Rotated),
  shownOnce: ['secret'],
  problems: [unknownEndpoint],
})
export class RotateWebhookSecret extends EndpointCommand<
  Answer,
  { body: RotateSecretBody; params: typeof endpointPath }
> {}

handle(RotateWebhookSecret, async (request, { clock, commands, webhooks }): Promise<Answer> => {
  const { workspaceId, params, body, context } = request;
  const endpointId = params.endpoint_id;
  const { answer: endpoint } = await webhooks.withNewSecret(workspaceId, endpointId, (newSecret) => {
    const prepare = async () => {
      await commands.load(webhookEndpoints, String(workspaceId), (state) =>
        requireEndpoint(state, endpointId),
      );
      const secretId = await newSecret();
      // Receivers compare it with their own clocks, so it is in real time.
      const untilMs = Date.now() + (body.previous_valid_hours ?? DEFAULT_HOURS) * HOUR_MS;
      const previousUntil = new Date(untilMs).toISOString();
      return rotateSecret({ endpointId, secretId, previousUntil, rotatedAt: clock.now().toISOString() });
    };
    return commands.handle(
      webhookEndpoints,
      String(workspaceId),
      { prepare },
      { context, answer: (state) => requireEndpoint(state, endpointId) },
    );
  });
  // After the event, so that no kill loses a secret that signs.
  await webhooks.forgetSecrets(displacedSecretIds(endpoint));
  const secret = await webhooks.secret(endpoint.secretId);
  const { previousUntil } = endpoint;
  return { data: { ...statedEndpointView(endpoint), secret, previous_valid_until: previousUntil } };
});
