import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { FIRST_STATE, type DeliveryRow, type EndpointState } from '../delivery-records.js';
import { HEALTHY } from '../delivery-schedule.js';
import type { FeedWindow } from './feed-window.js';
import type { OpenRetries } from './open-retries.js';
import { entryOf, type QueueHost } from './queue-host.js';

/** How long progress may stay in memory only: deliveries of that time are repeated after a crash. */
const FLUSH_MS = 1_000;
const MARK_MS = 60_000;
/** Sorts after every entry of the event at a position. */
const LAST_PLACE = Number.MAX_SAFE_INTEGER;
/** Sorts after every position. */
const LAST_POSITION = '\uFFFF';

export type KeptProgress = ReturnType<typeof keptProgress>;

/** The progress of an endpoint: in memory, in its record and on its stream (DLV-05). */
export function keptProgress(
  host: QueueHost,
  endpointId: number,
  { window, open }: { readonly window: FeedWindow; readonly open: OpenRetries },
) {
  const { records, nowMs } = host;
  let state: EndpointState | null = null;
  let isDirty = false;
  let flushedAtMs = 0;

  /** From its record, otherwise from the settled position in the log, otherwise from the creation of the endpoint. */
  async function load(endpoint: WebhookEndpointDocument): Promise<EndpointState> {
    const kept = await records.state(endpointId);
    const known = await entryOf(host, endpoint, kept?.cursorId ?? null);
    const settledId = known === null ? await host.progressOf(endpointId) : null;
    const settled = await entryOf(host, endpoint, settledId);
    const loaded: EndpointState =
      kept !== null && (known !== null || kept.cursorId === null)
        ? kept
        : {
            ...FIRST_STATE,
            cursorId: settled?.id ?? null,
            previousId: settled?.id ?? null,
            markedId: settledId,
          };
    await open.load(records, loaded.open);
    // A row that was settled before its queue ended, but is still named in the record.
    isDirty ||= open.keys().length < loaded.open.length;
    window.begin({
      place: known ?? settled ?? { position: endpoint.addedPosition, place: LAST_PLACE },
      lastWanted: loaded.previousId,
      repeatedTo: (await host.source.standing(endpoint.workspaceId))?.position ?? LAST_POSITION,
    });
    flushedAtMs = nowMs();
    const isNew = kept === null && settledId === null;
    return {
      ...loaded,
      open: open.keys(),
      // The count of failures restarts each time the endpoint is enabled.
      health: loaded.enabledTimes === endpoint.enabledTimes ? loaded.health : HEALTHY,
      enabledTimes: endpoint.enabledTimes,
      // Replays requested before the read store was lost are assumed to be completed.
      replayedTo: isNew || kept !== null ? loaded.replayedTo : (endpoint.replays.at(-1)?.position ?? ''),
      markedAtMs: loaded.markedAtMs === 0 ? nowMs() : loaded.markedAtMs,
    };
  }

  const change = (changes: Partial<EndpointState>): void => {
    state = { ...(state ?? FIRST_STATE), ...changes };
    isDirty = true;
  };

  return {
    state: (): EndpointState => state ?? FIRST_STATE,
    change,
    /** Reads the progress once, and starts window and retries from there. */
    async load(endpoint: WebhookEndpointDocument): Promise<void> {
      state ??= await load(endpoint);
    },
    /** Writes the record, at most once per second, or now. */
    async flush(isNow: boolean = false): Promise<void> {
      if (state === null || !isDirty || (!isNow && nowMs() - flushedAtMs < FLUSH_MS)) return;
      host.requireLead();
      isDirty = false;
      try {
        await records.putState(endpointId, state);
        flushedAtMs = nowMs();
      } catch (error) {
        isDirty = true;
        throw error;
      }
    },
    /** Writes the settled position to the stream, at most once per minute. */
    async mark(endpoint: WebhookEndpointDocument, oldestOpen: DeliveryRow | null): Promise<void> {
      if (state === null || nowMs() - state.markedAtMs < MARK_MS) return;
      state = { ...state, markedAtMs: nowMs() };
      // A retry behind the beginning of the window says nothing about the events before it: they may have no result yet.
      const isBefore = oldestOpen !== null && window.isBefore(oldestOpen);
      const throughId = isBefore ? oldestOpen.previousId : state.previousId;
      if (throughId === null || throughId === state.markedId) return;
      host.requireLead();
      await host.settle(endpoint, throughId);
      change({ markedId: throughId });
    },
    /** Times at which something is to be written, in ms. */
    due: (): readonly number[] => [
      ...(isDirty ? [flushedAtMs + FLUSH_MS] : []),
      ...(state === null || state.previousId === state.markedId ? [] : [state.markedAtMs + MARK_MS]),
    ],
  };
}
