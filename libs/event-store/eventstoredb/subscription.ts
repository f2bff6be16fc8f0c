import { START, type Position } from '#kernel/ports/event-store.port.js';
import type { ClientLine } from './connection.js';
import { openReadCall } from './client-internals.js';
import { isKnown, markedText } from './position-text.js';
import { pull, type Pull } from './pull.js';
import { subscriptionRequest } from './read-requests.js';
import type { DeliveredRecord, ReadMessage } from './server-messages.js';

export type Subscription = Pull<DeliveredRecord> & {
  /** At least every matching event up to this position was pushed; valid once all pushed events are taken. */
  readonly checkpoint: () => Position;
  /** True while the server has no further events; valid once all pushed events are taken. */
  readonly isCaughtUp: () => boolean;
};

/** A checkpoint for each so many pages that the server looks through. */
const CHECKPOINT_INTERVAL = 8;
/** Everything but the server's own events and links. */
const NOT_OF_THE_SERVER = '^[^$]';
const NOTHING = '(?!)';

export type OpenSubscription = {
  /** The record after which the subscription begins. */
  readonly behind: Position;
  /** The end of the log as it was before; null if it was not read. */
  readonly end: Position | null;
  /** Null means every type. */
  readonly types: readonly string[] | null;
  readonly size: number;
  readonly signal: AbortSignal;
};

/** Opens a subscription after a record, filtered by the server. */
export function openSubscription(
  line: ClientLine,
  { behind, end, types, size, signal }: OpenSubscription,
): Subscription {
  let checkpoint: Position = START;
  let isCaughtUp = false;
  const regex = types === null ? NOT_OF_THE_SERVER : NOTHING;
  const wanted = types === null || types.length === 0 ? { regex } : { prefixes: types };
  const opening = openReadCall(line.client, subscriptionRequest(behind, wanted, CHECKPOINT_INTERVAL));
  const itemOf = (message: ReadMessage): DeliveredRecord | null => {
    switch (message.kind) {
      case 'record':
        return message;
      case 'checkpoint': {
        const { position } = message;
        const reached = isKnown(position) ? markedText(position) : START;
        // A checkpoint between two records may be at the end of the log and then looks like a position of another log.
        const isOfRecord = position.commit === position.prepare;
        if (reached > checkpoint && (isOfRecord || (end !== null && reached <= end))) checkpoint = reached;
        return null;
      }
      case 'caught up':
      case 'fell behind':
        isCaughtUp = message.kind === 'caught up';
        return null;
      case 'other':
        return null;
    }
  };
  const reading = pull(opening, { itemOf, most: size, stops: [line.lost, signal] });
  return { ...reading, checkpoint: () => checkpoint, isCaughtUp: () => isCaughtUp };
}
