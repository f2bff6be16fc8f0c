import type { FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { attemptOf, rowKey, type DeliveryRow } from '../delivery-records.js';
import { healthAfter, isGivenUp, pauseAfter } from '../delivery-schedule.js';
import type { Sent } from '../send-delivery.js';
import { previousWanted, wantedOf } from '../wanted-events.js';
import { isOfSchedule, type FeedWindow, type FreshEvent } from './feed-window.js';
import type { KeptProgress } from './kept-progress.js';
import type { OpenRetries } from './open-retries.js';
import { entryOf, type QueueHost } from './queue-host.js';

/**
 * Attempts to deliver, and their results: in the record of the endpoint, in the row of the event, and on the
 * endpoint.
 */
export type Attempts = {
  /** The first attempt of an event. */
  readonly first: (endpoint: WebhookEndpointDocument, fresh: FreshEvent) => Promise<void>;
  /** A scheduled retry of an event with a row. */
  readonly again: (endpoint: WebhookEndpointDocument, row: DeliveryRow) => Promise<void>;
  /**
   * A requested attempt: it does not change the health of the endpoint. It begins when no other attempt of the event is
   * under way. False: the secret is lost and nothing was sent.
   */
  readonly replay: (endpoint: WebhookEndpointDocument, entry: FeedEntryDocument) => Promise<boolean>;
  /** Whether an attempt of this event is under way: no other one of it may begin. */
  readonly isUnderWay: (eventId: string) => boolean;
};

type Parts = {
  readonly host: QueueHost;
  readonly window: FeedWindow;
  readonly open: OpenRetries;
  readonly progress: KeptProgress;
  /** Aborted when nothing more may be sent; aborted here when the endpoint is disabled. */
  readonly stopping: AbortController;
};

/** First-attempt successes that are listed without a row of their own. */
const KEPT_RECENT = 20;

export function attempts({ host, window, open, progress, stopping }: Parts): Attempts {
  const { records, nowMs } = host;
  /** The attempts under way, by event. */
  const underWay = new Map<string, Promise<void>>();

  /**
   * Attempts of one event never overlap: each adds itself to the row that the one before has left. A result that is
   * written over a newer one could end the retries of an event that was never delivered.
   */
  async function alone<Result>(eventId: string, attempt: () => Promise<Result>): Promise<Result> {
    while (underWay.has(eventId)) await underWay.get(eventId);
    stopping.signal.throwIfAborted();
    let end = (): void => undefined;
    underWay.set(eventId, new Promise((resolve) => (end = resolve)));
    try {
      return await attempt();
    } finally {
      underWay.delete(eventId);
      end();
    }
  }

  /** No further attempt starts; if the endpoint is enabled again it gets a new queue. */
  async function disable(
    endpoint: WebhookEndpointDocument,
    reason: 'gone' | 'failing' | 'secret_lost',
    cause: string,
  ): Promise<void> {
    await host.disable(endpoint, reason, cause);
    stopping.abort();
  }

  /** Updates the health of the endpoint. */
  async function judge(endpoint: WebhookEndpointDocument, sent: Sent, eventId: string): Promise<void> {
    const health = healthAfter(progress.state().health, sent, nowMs());
    progress.change({ health });
    if (sent.statusCode === 410) await disable(endpoint, 'gone', eventId);
    else if (isGivenUp(health, nowMs())) await disable(endpoint, 'failing', String(health.failingSinceMs));
  }

  /** The row first, then the record that names it: a crash in between repeats the delivery. */
  async function keep(key: string, row: DeliveryRow): Promise<void> {
    host.requireLead();
    await records.putRow(key, row);
    open.put(key, row);
    progress.change({ open: open.keys() });
  }

  function tryAgain(made: number): Pick<DeliveryRow, 'status' | 'nextAttemptMs'> {
    const pauseMs = pauseAfter(made, host.random());
    return pauseMs === null ? FAILED : { status: 'retrying', nextAttemptMs: nowMs() + pauseMs };
  }

  /** One attempt of an event with a row; false if nothing was sent because the secret is lost. */
  async function send(
    endpoint: WebhookEndpointDocument,
    entry: FeedEntryDocument,
    row: DeliveryRow,
    isReplay: boolean,
  ): Promise<boolean> {
    const startedMs = nowMs();
    const sent = await host.attempt(endpoint, entry, row.previousId, stopping.signal);
    if (sent === null) {
      await disable(endpoint, 'secret_lost', endpoint.secretId);
      return false;
    }
    const made = [...row.attempts, attemptOf(sent, startedMs, isReplay)];
    const ofSchedule = made.filter(({ is_replay: again }) => !again).length;
    const otherwise = isReplay ? {} : tryAgain(ofSchedule);
    const next = { ...row, attempts: made, ...(sent.outcome === 'delivered' ? DELIVERED : otherwise) };
    await keep(rowKey(endpoint.id, entry), next);
    if (!isReplay) await judge(endpoint, sent, entry.id);
    return true;
  }

  /** The row of a replayed event that has none stored: it was delivered at the first attempt, or it was never sent. */
  async function firstRow(endpoint: WebhookEndpointDocument, entry: FeedEntryDocument): Promise<DeliveryRow> {
    const recent = progress.state().recent.find(({ eventId }) => eventId === entry.id);
    if (recent !== undefined) return recent;
    const rendered = host.source.renderedFrom(endpoint.workspaceId);
    // Older than the endpoint, not reached yet, or not one that the endpoint wants.
    const isReached = entry.position > endpoint.addedPosition && window.isPassed(entry);
    const wasSent = isReached && (await wantedOf(rendered, endpoint, [entry])).length > 0;
    const previousId = await previousWanted(rendered, endpoint, entry);
    return { ...eventFields(entry), ...(wasSent ? DELIVERED : FAILED), previousId, attempts: [] };
  }

  /** The first attempt of an event. Replays may have stored a row before it, and settle the event if one succeeded. */
  async function sendFirst(endpoint: WebhookEndpointDocument, fresh: FreshEvent): Promise<void> {
    const { entry, previousId } = fresh;
    const key = rowKey(endpoint.id, entry);
    const replayed = await records.row(key);
    if (replayed === null || !replayed.attempts.some(isOfSchedule)) {
      const startedMs = nowMs();
      const sent = await host.attempt(endpoint, entry, previousId, stopping.signal);
      if (sent === null) {
        fresh.status = 'waiting';
        return disable(endpoint, 'secret_lost', endpoint.secretId);
      }
      const row: DeliveryRow = {
        ...eventFields(entry),
        ...(sent.outcome === 'delivered' ? DELIVERED : tryAgain(1)),
        previousId,
        attempts: [...(replayed?.attempts ?? []), attemptOf(sent, startedMs, false)],
      };
      if (row.status === 'delivered' && replayed === null) {
        progress.change({ recent: [row, ...progress.state().recent].slice(0, KEPT_RECENT) });
      } else {
        await keep(key, row);
      }
      await judge(endpoint, sent, entry.id);
    }
    fresh.status = 'settled';
    progress.change(window.settled() ?? {});
  }

  return {
    isUnderWay: (eventId) => underWay.has(eventId),
    first: (endpoint, fresh) => alone(fresh.entry.id, () => sendFirst(endpoint, fresh)),
    again: (endpoint, row) =>
      alone(row.eventId, async () => {
        const entry = await entryOf(host, endpoint, row.eventId);
        const key = rowKey(endpoint.id, { id: row.eventId, occurredAt: row.occurredAt });
        if (entry === null) await keep(key, { ...row, ...FAILED });
        else await send(endpoint, entry, row, false);
      }),
    replay: (endpoint, entry) =>
      alone(entry.id, async () => {
        const stored = await records.row(rowKey(endpoint.id, entry));
        return send(endpoint, entry, stored ?? (await firstRow(endpoint, entry)), true);
      }),
  };
}

const DELIVERED = { status: 'delivered', nextAttemptMs: null } as const;
const FAILED = { status: 'failed', nextAttemptMs: null } as const;

const eventFields = ({ id: eventId, type, occurredAt, position, place }: FeedEntryDocument) => ({
  eventId,
  type,
  occurredAt,
  position,
  place,
});
