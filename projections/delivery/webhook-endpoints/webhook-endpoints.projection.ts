import type {
  DisabledReason,
  EndpointConfiguration,
  WebhookEvents,
} from '#delivery/domain/webhooks/webhook.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import { projection } from '#kernel/projections/projection.js';

/** A requested replay. They are ordered by position: those after the last completed one are pending. */
export type AskedReplay = {
  readonly position: string;
  readonly eventId: string | null;
  readonly since: string | null;
};

export type WebhookEndpointDocument = EndpointConfiguration & {
  readonly id: number;
  readonly workspaceId: number;
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: string | null;
  /** The number of times it was enabled: each time the count of failures restarts. */
  readonly enabledTimes: number;
  readonly secretId: string;
  readonly previousSecretId: string | null;
  readonly previousUntil: string | null;
  readonly addedAt: string;
  /** Events after this position are delivered (DLV-03). */
  readonly addedPosition: string;
  /** The last of them, oldest first. */
  readonly replays: readonly AskedReplay[];
};

/** The maximum number of pending replays of one endpoint; a further request drops the oldest. */
const MOST_REPLAYS = 100;

export const webhookEndpointKey = (id: number): string => String(id);

type Fold<Data> = (
  known: WebhookEndpointDocument | null,
  event: Recorded<Data>,
) => WebhookEndpointDocument | null;

/** Changes the document of an existing endpoint. */
const changed =
  <Data>(
    change: (endpoint: WebhookEndpointDocument, data: Data, event: Recorded<Data>) => object,
  ): Fold<Data> =>
  (known, event) =>
    known && { ...known, ...change(known, event.data, event) };

export const webhookEndpointViews = projection<WebhookEndpointDocument, WebhookEvents>()({
  name: 'webhook-endpoints',
  version: 1,
  indexes: {
    ofWorkspace: ['workspaceId', 'id'],
    byStatus: ['status', 'id'],
    byReason: ['status', 'disabledReason'],
  },
  key: ({ data }) => webhookEndpointKey(data.endpointId),
  on: {
    WebhookEndpointAdded: (_none, event) => {
      const { endpointId: id, ...configuration } = event.data;
      return {
        ...configuration,
        id,
        workspaceId: workspaceIdOf(event),
        status: 'enabled',
        disabledReason: null,
        disabledAt: null,
        enabledTimes: 1,
        previousSecretId: null,
        previousUntil: null,
        addedPosition: event.position,
        replays: [],
      };
    },
    WebhookEndpointChanged: changed((_, { changes }) => changes),
    WebhookSecretRotated: changed(({ secretId: previousSecretId }, { secretId, previousUntil }) => ({
      secretId,
      previousSecretId,
      previousUntil,
    })),
    WebhookEndpointDisabled: changed((_, { reason: disabledReason, disabledAt }) => ({
      status: 'disabled',
      disabledReason,
      disabledAt,
    })),
    WebhookEndpointEnabled: changed(({ enabledTimes }) => ({
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
      enabledTimes: enabledTimes + 1,
    })),
    WebhookEndpointDeleted: () => null,
    WebhookReplayAsked: changed(({ replays }, { eventId, since }, { position }) => ({
      replays: [...replays, { position, eventId, since }].slice(-MOST_REPLAYS),
    })),
  },
});
