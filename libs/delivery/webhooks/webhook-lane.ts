import { eachPage } from '#kernel/projections/each-page.js';
import { LeaseLost, type LeaseStore } from '#kernel/ports/read-store.port.js';
import { HOUR_MS } from '#kernel/values/durations.js';
import { holdLease, type HeldLease } from '#projection-engine/held-lease.js';
import {
  webhookEndpointViews,
  type WebhookEndpointDocument,
} from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { webhookEndpoints } from '../domain/webhooks/webhook-endpoints.js';
import { feedMoves, type FeedMoves } from '../feed-moves.js';
import { deliveryRecords } from './delivery-records.js';
import { endpointQueue, type EndpointQueue } from './queue/endpoint-queue.js';
import { laneHost, type LaneHostParts } from './lane-host.js';
import { secretsCheck } from './secrets-check.js';
import { repeatedWork } from './repeated-work.js';

export type WebhookLaneParts = LaneHostParts & {
  readonly reads: LeaseStore;
  readonly holder: string;
  /** Calls back whenever the view has changed. Returns a function that unsubscribes. */
  readonly watch: (views: readonly string[], moved: () => void) => () => void;
  /** Calls back when the log was reset to an older one. */
  readonly whenSetBack: (setBack: () => void) => void;
};

/** The figures of this process's deliveries; all zero if another process delivers. */
export type LaneFigures = {
  readonly isLeading: boolean;
  readonly pending: number;
  readonly oldestAt: string | null;
};

/** The deliveries of all endpoints, in a lane of their own. One process at a time delivers, under a lease. */
export type WebhookLane = {
  readonly start: () => void;
  readonly figures: () => Promise<LaneFigures>;
  /** Completes requests in flight; another process continues from there. */
  readonly stop: () => Promise<void>;
};

/** The lease for delivering webhooks. */
const WEBHOOKS_LEASE = 'webhooks';

const ASK_EVERY_MS = 1_000;
const ENDPOINTS_AT_ONCE = 500;
const SWEEP_MS = HOUR_MS;

type Running = {
  readonly workspaceId: number;
  readonly queue: EndpointQueue;
  readonly enabledTimes: number;
  /** The endpoint as the queue knows it. */
  endpoint: string;
  readonly unfollow: () => void;
};

/** If one endpoint of many was changed, only its queue is updated. */
function update(running: Running, endpoint: WebhookEndpointDocument): void {
  const asKnown = JSON.stringify(endpoint);
  if (running.endpoint === asKnown) return;
  running.endpoint = asKnown;
  running.queue.update(endpoint);
}

export function webhookLane(parts: WebhookLaneParts): WebhookLane {
  const { source, readModels, reads, nowMs, later, onTrouble } = parts;
  const records = deliveryRecords(reads);
  const queues = new Map<number, Running>();
  let lease: HeldLease | null = null;
  let moves: FeedMoves | null = null;
  let unwatch = (): void => undefined;
  let isStale = true;
  /** The queues may have read up to events of a lost log, and would skip the events that now have those places. */
  let isSetBack = false;
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  const stopping = new AbortController();
  const { wake, wakeIn, ended } = repeatedWork({
    work,
    onFailure(error) {
      isStale = true;
      if (!stopping.signal.aborted) onTrouble('webhooks', error);
      wakeIn(ASK_EVERY_MS);
    },
    later,
    signal: stopping.signal,
  });

  const requireLead = (): void => {
    if (lease === null) throw new LeaseLost(WEBHOOKS_LEASE);
    lease.fence();
  };
  const host = laneHost(parts, requireLead);
  const checkSecrets = secretsCheck(parts, host.disable);

  async function lead(): Promise<boolean> {
    if (lease !== null) return true;
    const held = await holdLease(reads, WEBHOOKS_LEASE, parts.holder);
    if (held === null) return false;
    lease = held;
    held.onLost(() => {
      if (lease !== held) return;
      lease = null;
      wake();
    });
    isStale = true;
    return true;
  }

  /** One queue per enabled endpoint of the read model. */
  async function refresh(): Promise<void> {
    isStale = false;
    const enabled = new Map<number, WebhookEndpointDocument>();
    const sort = [['id', 'asc']] as const;
    const where = { status: 'enabled' };
    const pages = eachPage(readModels, webhookEndpointViews, { where, sort, limit: ENDPOINTS_AT_ONCE });
    for await (const page of pages) for (const endpoint of page) enabled.set(endpoint.id, endpoint);
    const ended = [...queues].filter(
      ([id, { enabledTimes }]) => enabled.get(id)?.enabledTimes !== enabledTimes,
    );
    await Promise.all(ended.map(([id, { workspaceId }]) => endOf(workspaceId, id)));
    for (const endpoint of enabled.values()) {
      const running = queues.get(endpoint.id);
      if (running === undefined) begin(endpoint);
      else update(running, endpoint);
    }
  }

  function begin(endpoint: WebhookEndpointDocument): void {
    const queue = endpointQueue(host, endpoint);
    const unfollow = moves?.follow(endpoint.workspaceId, queue.wake) ?? ((): void => undefined);
    const { id, workspaceId, enabledTimes } = endpoint;
    queues.set(id, { workspaceId, queue, unfollow, enabledTimes, endpoint: JSON.stringify(endpoint) });
    queue.wake();
  }

  async function end(endpointId: number): Promise<void> {
    const running = queues.get(endpointId);
    queues.delete(endpointId);
    running?.unfollow();
    await running?.queue.stop();
  }

  /** Ends a queue for good. An attempt in flight may have written records of an endpoint after its deletion. */
  async function endOf(workspaceId: number, endpointId: number): Promise<void> {
    await end(endpointId);
    const isDeleted = await parts.commands.load(
      webhookEndpoints,
      String(workspaceId),
      ({ byId }) => !byId.has(endpointId),
    );
    if (isDeleted) await records.forget(endpointId);
  }

  async function work(): Promise<void> {
    if (lease === null || isSetBack) {
      isSetBack = false;
      isStale = true;
      await Promise.all([...queues.keys()].map(end));
    }
    if (lease === null) {
      if (!(await lead())) return wakeIn(ASK_EVERY_MS);
    }
    moves ??= feedMoves(source);
    if (isStale) await refresh();
    if (nowMs() - sweptAtMs >= SWEEP_MS) {
      sweptAtMs = nowMs();
      await records.sweep(sweptAtMs);
      await checkSecrets();
    }
    wakeIn(SWEEP_MS);
  }

  return {
    start() {
      unwatch = parts.watch([webhookEndpointViews.name], () => {
        isStale = true;
        wake();
      });
      parts.whenSetBack(() => {
        isSetBack = true;
        wake();
      });
      wake();
    },
    async figures() {
      const all = await Promise.all([...queues.values()].map(({ queue }) => queue.figures()));
      return {
        isLeading: lease !== null,
        pending: all.reduce((sum, { pending }) => sum + pending, 0),
        oldestAt: all.flatMap(({ oldestAt }) => oldestAt ?? []).sort()[0] ?? null,
      };
    },
    async stop() {
      stopping.abort();
      unwatch();
      await ended();
      moves?.end();
      await Promise.all([...queues.keys()].map(end));
      // A lease that cannot be released while the store is unavailable expires.
      await lease?.release().catch((error: unknown) => onTrouble('webhooks', error));
      lease = null;
    },
  };
}
