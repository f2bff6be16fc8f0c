import { fieldError } from '#kernel/values/refusal.js';
import { Id, Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { askReplay, webhookEndpoints } from '#delivery/domain/webhooks/webhook-endpoints.js';
import { replayFaults } from '#delivery/replay-reach.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { readInstant } from '#ops/support/read-instant.js';
import { EndpointId, oneEndpoint } from './one-endpoint.js';

export const endpointReplay = operatorCommand({
  name: 'endpoint.replay',
  summary: 'Send one event to a webhook endpoint again, or all events since a time, at most 30 days ago',
  input: Type.Object({
    workspace_id: WorkspaceId,
    endpoint_id: EndpointId,
    event: Type.Optional(described('id of the event', Type.String({ minLength: 1, maxLength: 100 }))),
    since: Type.Optional(described('date or timestamp, inclusive', Type.String())),
  }),
  output: Type.Object({ endpoint_id: Id, event: Nullable(Type.String()), since: Nullable(Timestamp) }),
  async run(host, { workspace_id: workspaceId, endpoint_id: endpointId, event, since: given }, context) {
    if ((event === undefined) === (given === undefined))
      throw invalidInput({ errors: fieldError('event', 'name either event or since') });
    await oneEndpoint(host.readModels, workspaceId, endpointId);
    const now = host.clock.now();
    const since = given === undefined ? null : readInstant(given, 'since');
    const eventId = event ?? null;
    const faults = await replayFaults(host.readModels, workspaceId, { eventId, since }, now);
    if (faults !== null) throw invalidInput({ errors: faults });
    const decision = askReplay({ endpointId, eventId, since, askedAt: now.toISOString() });
    await host.commands.handle(webhookEndpoints, String(workspaceId), decision, { context });
    return { endpoint_id: endpointId, event: eventId, since };
  },
});
