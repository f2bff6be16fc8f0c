import type { RecordStore } from '#kernel/ports/read-store.port.js';
import type { JsonValue } from '#kernel/values/json.js';
import { DAY_MS } from '#kernel/values/durations.js';
import type { FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import { HEALTHY, type Health } from './delivery-schedule.js';
import type { DeliveryOutcome, Sent } from './send-delivery.js';

/** One attempt as it is stored and shown. */
export type DeliveryAttempt = {
  /** The start of the attempt, in real time. */
  readonly at: string;
  readonly outcome: DeliveryOutcome;
  readonly status_code: number | null;
  readonly duration_ms: number;
  readonly answer: string | null;
  readonly is_replay: boolean;
};

/** The delivery of one event to one endpoint. */
export type DeliveryRow = {
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: string;
  /** The place of the event in the feed. */
  readonly position: string;
  readonly place: number;
  readonly previousId: string | null;
  readonly status: 'delivered' | 'retrying' | 'failed';
  readonly attempts: readonly DeliveryAttempt[];
  /** Real time in ms; null: no further attempt. */
  readonly nextAttemptMs: number | null;
};

/** The progress of an endpoint. An outdated record repeats deliveries but never skips one (DLV-05). */
export type EndpointState = {
  /** The last event, in order, that is delivered or has a separate row; null: no event yet. */
  readonly cursorId: string | null;
  /** The last event up to it that the endpoint wanted. */
  readonly previousId: string | null;
  /** Keys of the rows that wait for a retry. */
  readonly open: readonly string[];
  /** Events delivered at the first attempt, newest first: they have no row. */
  readonly recent: readonly DeliveryRow[];
  readonly health: Health;
  /** The number of times the endpoint was enabled; the health belongs to the last one. */
  readonly enabledTimes: number;
  /** The position of the last completed replay. */
  readonly replayedTo: string;
  /** The running replay, and the last event it sent. */
  readonly replaying: { readonly position: string; readonly afterId: string } | null;
  /** The last event that the stream says is settled, and when that was written (real time, in ms). */
  readonly markedId: string | null;
  readonly markedAtMs: number;
};

export const FIRST_STATE: EndpointState = {
  cursorId: null,
  previousId: null,
  open: [],
  recent: [],
  health: HEALTHY,
  enabledTimes: 1,
  replayedTo: '',
  replaying: null,
  markedId: null,
  markedAtMs: 0,
};

const STATES = 'webhook-state';
const ROWS = 'webhook-deliveries';
const AT_ONCE = 500;
/** Rows are kept this long after their last attempt. */
const KEPT_MS = 30 * DAY_MS;
/** The largest time of 13 digits: keys of rows sort from the newest event to the oldest. */
const LATEST_MS = 9_999_999_999_999;
const DIGITS = 13;

/** The key of the row of an event: rows of an endpoint are contiguous, the newest event first. */
export const rowKey = (
  endpointId: number,
  { id, occurredAt }: Pick<FeedEntryDocument, 'id' | 'occurredAt'>,
): string => `${endpointId}_${String(LATEST_MS - Date.parse(occurredAt)).padStart(DIGITS, '0')}_${id}`;

export const attemptOf = (sent: Sent, startedMs: number, isReplay: boolean): DeliveryAttempt => ({
  at: new Date(startedMs).toISOString(),
  outcome: sent.outcome,
  status_code: sent.statusCode,
  duration_ms: Math.round(sent.durationMs),
  answer: sent.answer,
  is_replay: isReplay,
});

export type KeyedRow = { readonly key: string; readonly row: DeliveryRow };

/** State and rows of endpoints, as records in the read store. */
export type DeliveryRecords = {
  readonly state: (endpointId: number) => Promise<EndpointState | null>;
  readonly putState: (endpointId: number, state: EndpointState) => Promise<void>;
  readonly row: (key: string) => Promise<DeliveryRow | null>;
  readonly putRow: (key: string, row: DeliveryRow) => Promise<void>;
  /** Rows of an endpoint, the newest event first, after a key. */
  readonly rows: (endpointId: number, limit: number, afterKey?: string) => Promise<readonly KeyedRow[]>;
  /** Removes all records of an endpoint. */
  readonly forget: (endpointId: number) => Promise<void>;
  /** Removes rows whose last attempt is more than 30 days old. */
  readonly sweep: (nowMs: number) => Promise<void>;
};

export function deliveryRecords(store: RecordStore): DeliveryRecords {
  const stateKey = (endpointId: number): string => String(endpointId);
  return {
    state: (endpointId) => store.getRecord<EndpointState>(STATES, stateKey(endpointId)),
    putState: (endpointId, state) => store.putRecord(STATES, stateKey(endpointId), asJson(state)),
    row: (key) => store.getRecord<DeliveryRow>(ROWS, key),
    putRow: (key, row) => store.putRecord(ROWS, key, asJson(row)),
    async rows(endpointId, limit, afterKey) {
      const found = await store.listRecords<DeliveryRow>(ROWS, `${endpointId}_`, limit, afterKey);
      return found.map(({ key, value: row }) => ({ key, row }));
    },
    async forget(endpointId) {
      await store.deleteRecord(STATES, stateKey(endpointId));
      for (;;) {
        const found = await store.listRecords(ROWS, `${endpointId}_`, AT_ONCE);
        for (const { key } of found) await store.deleteRecord(ROWS, key);
        if (found.length < AT_ONCE) return;
      }
    },
    async sweep(nowMs) {
      for (let after: string | undefined; ;) {
        const found = await store.listRecords<DeliveryRow>(ROWS, '', AT_ONCE, after);
        for (const { key, value } of found) if (isOld(value, nowMs)) await store.deleteRecord(ROWS, key);
        if (found.length < AT_ONCE) return;
        after = found.at(-1)?.key;
      }
    },
  };
}

const isOld = ({ attempts, nextAttemptMs }: DeliveryRow, nowMs: number): boolean =>
  nextAttemptMs === null && nowMs - Date.parse(attempts.at(-1)?.at ?? '') > KEPT_MS;

/** These records contain only JSON values. */
const asJson = (value: EndpointState | DeliveryRow): JsonValue => ({ ...value });
