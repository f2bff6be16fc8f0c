import { decider } from '#kernel/commands/decider.js';
import type { EventOf } from '#kernel/events/event.js';
import { canonicalJson } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import {
  webhookEvents,
  webhookProgressEvents,
  type DisabledReason,
  type EndpointConfiguration,
  type WebhookEvents,
  type WebhookProgressEvents,
} from './webhook.events.js';

export type WebhookEndpoint = EndpointConfiguration & {
  readonly endpointId: number;
  readonly secretId: string;
  /** Its earlier secrets, oldest first; only the last one may still sign. */
  readonly earlierSecretIds: readonly string[];
  /** Until when the secret before the present one signs, in real time; null: there is none. */
  readonly previousUntil: string | null;
  /** Why it is disabled; null: it is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: string | null;
  readonly addedAt: string;
};

/** The endpoints of a workspace, in one stream, because their number is limited. */
export type WebhookEndpoints = { readonly byId: Map<number, WebhookEndpoint> };

export const MOST_ENDPOINTS = 20;

function amend(
  state: WebhookEndpoints,
  endpointId: number,
  change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
): WebhookEndpoints {
  const known = state.byId.get(endpointId);
  if (known !== undefined) state.byId.set(endpointId, change(known));
  return state;
}

export const webhookEndpoints = decider<WebhookEndpoints>()({
  category: 'webhooks',
  scope: 'workspace',
  vocabulary: webhookEvents,
  strict: true,
  initial: () => ({ byId: new Map() }),
  on: {
    WebhookEndpointAdded: (state, { data }) => {
      const unchanged = { earlierSecretIds: [], previousUntil: null, disabledReason: null, disabledAt: null };
      state.byId.set(data.endpointId, { ...data, ...unchanged });
      return state;
    },
    WebhookEndpointChanged: (state, { data }) =>
      amend(state, data.endpointId, (endpoint) => ({ ...endpoint, ...data.changes })),
    WebhookSecretRotated: (state, { data }) =>
      amend(state, data.endpointId, ({ secretId, earlierSecretIds, ...endpoint }) => ({
        ...endpoint,
        secretId: data.secretId,
        earlierSecretIds: [...earlierSecretIds, secretId],
        previousUntil: data.previousUntil,
      })),
    WebhookEndpointDisabled: (state, { data }) =>
      amend(state, data.endpointId, (endpoint) => ({
        ...endpoint,
        disabledReason: data.reason,
        disabledAt: data.disabledAt,
      })),
    WebhookEndpointEnabled: (state, { data }) =>
      amend(state, data.endpointId, (endpoint) => ({ ...endpoint, disabledReason: null, disabledAt: null })),
    WebhookEndpointDeleted: (state, { data }) => {
      state.byId.delete(data.endpointId);
      return state;
    },
  },
});

export const unknownEndpoint = refusal({
  code: 'unknown-webhook-endpoint',
  kind: 'missing',
  detail: 'The workspace has no webhook endpoint with this id.',
});

export const tooManyEndpoints = refusal({
  code: 'too-many-webhook-endpoints',
  kind: 'conflicting',
  title: 'Too many webhook endpoints',
  detail: `A workspace has at most ${MOST_ENDPOINTS} webhook endpoints: delete one first.`,
});

export const secretIsLost = refusal({
  code: 'webhook-secret-lost',
  kind: 'conflicting',
  title: 'Secret lost',
  detail: 'The signing secret of this endpoint is lost: rotate the secret before you enable the endpoint.',
});

export const endpointIsDisabled = refusal({
  code: 'webhook-endpoint-disabled',
  kind: 'conflicting',
  title: 'Endpoint disabled',
  detail: 'This endpoint is disabled: enable it first.',
});

type Decided = EventOf<WebhookEvents>[];

/** All secrets that the endpoint has had. */
export const secretIdsOf = ({ secretId, earlierSecretIds }: WebhookEndpoint): readonly string[] => [
  ...earlierSecretIds,
  secretId,
];

/** The secrets that sign no more after a rotation: all but the present and the previous one. */
export const displacedSecretIds = ({ earlierSecretIds }: WebhookEndpoint): readonly string[] =>
  earlierSecretIds.slice(0, -1);

/** The endpoint with this id; throws `unknownEndpoint`. */
export function requireEndpoint(state: WebhookEndpoints, endpointId: number): WebhookEndpoint {
  const endpoint = state.byId.get(endpointId);
  if (endpoint === undefined) throw unknownEndpoint();
  return endpoint;
}

export const addEndpoint =
  (added: WebhookEvents['WebhookEndpointAdded']) =>
  (state: WebhookEndpoints): Decided => {
    if (state.byId.size >= MOST_ENDPOINTS) throw tooManyEndpoints();
    return [{ type: 'WebhookEndpointAdded', data: added }];
  };

export type EndpointChange = {
  readonly endpointId: number;
  readonly changes: Partial<EndpointConfiguration>;
  /** The requested state; undefined: unchanged. */
  readonly enabled: boolean | undefined;
  readonly now: string;
};

/** Records the differences, and enables or disables the endpoint. Idempotent. */
export const changeEndpoint =
  ({ endpointId, changes, enabled, now }: EndpointChange) =>
  (state: WebhookEndpoints): Decided => {
    const endpoint = requireEndpoint(state, endpointId);
    const { disabledReason } = endpoint;
    const changed = { ...endpoint, ...changes };
    const decided: Decided = [];
    if (canonicalJson(changed) !== canonicalJson(endpoint))
      decided.push({ type: 'WebhookEndpointChanged', data: { endpointId, changes, changedAt: now } });
    if (enabled === true && disabledReason === 'secret_lost') throw secretIsLost();
    if (enabled === true && disabledReason !== null)
      decided.push({ type: 'WebhookEndpointEnabled', data: { endpointId, enabledAt: now } });
    return enabled === false ? [...decided, ...disableEndpoint(endpointId, 'asked', now)(state)] : decided;
  };

/** Reasons that stay until someone enables the endpoint: a restored or rotated secret does not end them. */
const BY_SOMEONE: ReadonlySet<DisabledReason> = new Set(['asked', 'operator']);

/** Stops all deliveries until the endpoint is enabled again. Idempotent; ignored for a deleted endpoint. */
export const disableEndpoint =
  (endpointId: number, reason: DisabledReason, disabledAt: string) =>
  (state: WebhookEndpoints): Decided => {
    const endpoint = state.byId.get(endpointId);
    if (endpoint === undefined) return [];
    const { disabledReason } = endpoint;
    const isNew = disabledReason === null || (disabledReason === 'secret_lost' && BY_SOMEONE.has(reason));
    return isNew ? [{ type: 'WebhookEndpointDisabled', data: { endpointId, reason, disabledAt } }] : [];
  };

/** Disables it because its secret is lost, unless the secret was rotated meanwhile. */
export const disableWithoutSecret =
  (endpointId: number, secretId: string, disabledAt: string) =>
  (state: WebhookEndpoints): Decided =>
    state.byId.get(endpointId)?.secretId === secretId
      ? disableEndpoint(endpointId, 'secret_lost', disabledAt)(state)
      : [];

/** Enables it because its lost secret is back, unless it was disabled for another reason meanwhile. */
export const enableWithSecret =
  (endpointId: number, secretId: string, enabledAt: string) =>
  (state: WebhookEndpoints): Decided => {
    const endpoint = state.byId.get(endpointId);
    const isBack = endpoint?.secretId === secretId && endpoint.disabledReason === 'secret_lost';
    return isBack ? [{ type: 'WebhookEndpointEnabled', data: { endpointId, enabledAt } }] : [];
  };

export const deleteEndpoint =
  (endpointId: number, deletedAt: string) =>
  (state: WebhookEndpoints): Decided => {
    requireEndpoint(state, endpointId);
    return [{ type: 'WebhookEndpointDeleted', data: { endpointId, deletedAt } }];
  };

/** A new secret signs from now on. An endpoint that was disabled because its secret was lost is enabled. */
export const rotateSecret =
  (rotated: WebhookEvents['WebhookSecretRotated']) =>
  (state: WebhookEndpoints): Decided => {
    const { endpointId, rotatedAt: enabledAt } = rotated;
    const { disabledReason } = requireEndpoint(state, endpointId);
    const decided: Decided = [{ type: 'WebhookSecretRotated', data: rotated }];
    if (disabledReason === 'secret_lost')
      decided.push({ type: 'WebhookEndpointEnabled', data: { endpointId, enabledAt } });
    return decided;
  };

export const askReplay =
  (asked: WebhookEvents['WebhookReplayAsked']) =>
  (state: WebhookEndpoints): Decided => {
    if (requireEndpoint(state, asked.endpointId).disabledReason !== null) throw endpointIsDisabled();
    return [{ type: 'WebhookReplayAsked', data: asked }];
  };

/** The progress of one endpoint; stream `webhookProgress-<workspace>_<endpoint>`. */
export const webhookProgress = decider<{ readonly throughId: string | null }>()({
  category: 'webhookProgress',
  scope: 'workspace',
  vocabulary: webhookProgressEvents,
  initial: () => ({ throughId: null }),
  on: { WebhookEventsSettled: (_, { data }) => ({ throughId: data.throughId }) },
});

/** Records that all events up to this one are settled. Idempotent. */
export const settleEvents =
  (settled: WebhookProgressEvents['WebhookEventsSettled']) =>
  ({ throughId }: { readonly throughId: string | null }): EventOf<WebhookProgressEvents>[] =>
    throughId === settled.throughId ? [] : [{ type: 'WebhookEventsSettled', data: settled }];
