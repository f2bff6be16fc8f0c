import {
  addEndpoint,
  deleteEndpoint,
  webhookEndpoints,
  type WebhookEndpoints,
} from '#delivery/domain/webhooks/webhook-endpoints.js';
import type { EndpointConfiguration, WebhookEvents } from '#delivery/domain/webhooks/webhook.events.js';
import type { FeedSource } from '#delivery/event-feed.js';
import { sampleEndpoint } from '#delivery/testing/sample-endpoint.js';
import type { EventOf } from '#kernel/events/event.js';
import { viewStanding } from '#projection-engine/view-standing.js';
import { eventFeed, type FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import {
  webhookEndpointKey,
  webhookEndpointViews,
  type WebhookEndpointDocument,
} from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { LONGEST_WAIT_MS } from './event-stores.js';
import { lifeUntil, mortal, type Life } from './mortal.js';
import { openSignalHouse, type SignalHouse } from './signal-house.js';

/** Time that passes only on request of a test, with the timers that wait for it. */
export type ManualTimers = {
  readonly nowMs: () => number;
  readonly later: (ms: number, act: () => void) => () => void;
  /** Advances to the next due timer, at most this far. */
  readonly pass: (mostMs: number) => void;
};

export function manualTimers(startMs: number): ManualTimers {
  const due = new Set<{ readonly atMs: number; readonly act: () => void }>();
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    later(ms, act) {
      const timer = { atMs: nowMs + ms, act };
      due.add(timer);
      return () => due.delete(timer);
    },
    pass(mostMs) {
      nowMs = Math.min(nowMs + mostMs, ...[...due].map(({ atMs }) => Math.max(nowMs, atMs)));
      for (const timer of due) {
        if (timer.atMs > nowMs) continue;
        due.delete(timer);
        timer.act();
      }
    },
  };
}

/** Advances time and lets answered work continue until the condition holds. */
export async function passUntil(timers: ManualTimers, is: () => boolean, mostMs = 100): Promise<void> {
  const begunAt = performance.now();
  while (!is()) {
    // In real time, not in turns of the loop: an answer of a slow server takes very many of them.
    if (performance.now() - begunAt > LONGEST_WAIT_MS) throw new Error('what a test waits for did not come');
    await new Promise((resolve) => setImmediate(resolve));
    timers.pass(mostMs);
  }
}

/** Stores with webhook endpoints, and events for them. */
export type WebhookScene = {
  readonly house: SignalHouse;
  /** The only endpoint of a new workspace. */
  readonly endpoint: (configuration?: Partial<EndpointConfiguration>) => Promise<WebhookEndpointDocument>;
  /** This many events of the workspace of the endpoint; returns its feed. */
  readonly happen: (
    endpoint: Pick<WebhookEndpointDocument, 'workspaceId'>,
    count: number,
    /** For the endpoint that the events are about. */
    about?: Partial<EndpointConfiguration>,
  ) => Promise<readonly FeedEntryDocument[]>;
  readonly remove: (endpoint: WebhookEndpointDocument) => Promise<void>;
  /** The feed as read by a process that dies with its life. */
  readonly source: (life?: Life) => FeedSource;
};

/** `stores` defaults to the embedded kind. */
export async function openWebhookScene(
  stores?: Parameters<typeof openSignalHouse>[0],
): Promise<WebhookScene> {
  const house = await openSignalHouse(stores);
  const { reads, operator } = house;
  let endpoints = 0;
  const at = (): string => house.now().toISOString();

  async function decide(
    workspaceId: number,
    decision: (state: WebhookEndpoints) => EventOf<WebhookEvents>[],
  ): Promise<void> {
    await house.decide(workspaceId, webhookEndpoints, String(workspaceId), decision);
    await house.caughtUp();
  }

  async function add(workspaceId: number, configuration: Partial<EndpointConfiguration>): Promise<number> {
    const endpointId = (endpoints += 1);
    const added = {
      endpointId,
      ...sampleEndpoint,
      secretId: `secret-${endpointId}`,
      addedAt: at(),
      ...configuration,
    } as const;
    await decide(workspaceId, addEndpoint(added));
    return endpointId;
  }

  return {
    house,
    async endpoint(configuration = {}) {
      const workspaceId = await house.workspace({ mode: 'exempt' }, 0);
      const id = await add(workspaceId, configuration);
      const found = await reads.get(webhookEndpointViews, webhookEndpointKey(id));
      if (found === null) throw new Error('the endpoint was not added');
      return found;
    },
    async happen({ workspaceId }, count, about = {}) {
      const endpointId = await add(workspaceId, { types: [], ...about });
      const disabled = { endpointId, reason: 'asked', disabledAt: at() } as const;
      await decide(workspaceId, () =>
        Array.from({ length: count }, (): EventOf<WebhookEvents>[] => [
          { type: 'WebhookEndpointEnabled', data: { endpointId, enabledAt: at() } },
          { type: 'WebhookEndpointDisabled', data: disabled },
        ]).flat(),
      );
      return reads.find(eventFeed, {
        where: { workspaceId },
        sort: [
          ['position', 'asc'],
          ['place', 'asc'],
        ],
      });
    },
    remove: ({ id, workspaceId }) => decide(workspaceId, deleteEndpoint(id, at())),
    source(life = lifeUntil(Infinity)) {
      const readModels = mortal(reads, life);
      return {
        readModels,
        directory: mortal(operator.network.directory, life),
        standing: (workspaceId) => viewStanding(readModels, eventFeed, workspaceId),
        renderedFrom: () => readModels,
        watch: () => () => undefined,
      };
    },
  };
}
