import { IsOptional, MaxLength } from 'class-validator';
import { parseInstant, startOf } from '#kernel/values/instants.js';
import { Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import {
  askReplay,
  endpointIsDisabled,
  requireEndpoint,
  unknownEndpoint,
  webhookEndpoints,
} from '#delivery/domain/webhooks/webhook-endpoints.js';
import { replayFaults } from '#delivery/replay-reach.js';
import { IsInstant, IsNotBlank, NeedsExactlyOneOf } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { endpointPath, invalidEndpoint } from './webhook-endpoint.body.js';

@NeedsExactlyOneOf('event', 'since')
export class ReplayBody {
  @IsOptional()
  @IsNotBlank()
  @MaxLength(100)
  event?: string;

  @IsOptional()
  @IsInstant()
  since?: string;
}

const Replay = Type.Object(
  { event: Nullable(Type.String()), since: Nullable(Timestamp) },
  { title: 'WebhookReplay' },
);
type Asked = DataOf<{ readonly event: string | null; readonly since: string | null }>;

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/webhook-endpoints/:endpoint_id/replay',
  summary: 'Send events again to a webhook endpoint',
  description:
    'Sends one event of the last 30 days again (`event`, by its id), or every event to which the endpoint subscribes since a ' +
    'time, at most 30 days ago and not in the future, in their order, one after the other at the rate of the endpoint. A replay has the `webhook-id` of the event. A ' +
    'failed replay is not retried and does not affect the health of the endpoint.',
  status: 202,
  params: endpointPath,
  body: ReplayBody,
  response: DataOf(Replay),
  problems: [unknownEndpoint, endpointIsDisabled, invalidEndpoint],
})
export class ReplayWebhookDeliveries extends EndpointCommand<
  Asked,
  { body: ReplayBody; params: typeof endpointPath }
> {}

handle(ReplayWebhookDeliveries, async ({ workspaceId, params, body, context }, ports): Promise<Asked> => {
  const { commands, readModels } = ports;
  const endpointId = params.endpoint_id;
  const now = ports.clock.now();
  const instant = body.since === undefined ? null : parseInstant(body.since);
  const since = instant === null ? null : startOf(instant).toISOString();
  const eventId = body.event ?? null;
  const prepare = async () => {
    await commands.load(webhookEndpoints, String(workspaceId), (state) => requireEndpoint(state, endpointId));
    const faults = await replayFaults(readModels, workspaceId, { eventId, since }, now);
    if (faults !== null) throw invalidEndpoint({ errors: faults });
    return askReplay({ endpointId, eventId, since, askedAt: now.toISOString() });
  };
  const options = { context };
  await commands.handle(webhookEndpoints, String(workspaceId), { prepare }, options);
  return { data: { event: eventId, since } };
});
