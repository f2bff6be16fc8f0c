import { eventTypeFilter, START as FROM_START, type AllStreamResolvedEvent } from '@eventstore/db-client';
import { START, type Position } from '#kernel/ports/event-store.port.js';
import type { ClientLine } from './connection.js';
import { isKnown, logPosition, markedText, type LogPosition } from './position-text.js';
import { pull, type Pull } from './pull.js';

export type Subscription = Pull<AllStreamResolvedEvent> & {
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
  /** The end of the log as it was before. */
  readonly end: Position;
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
  const at = logPosition(behind);
  const marks = {
    checkpointInterval: CHECKPOINT_INTERVAL,
    // A callback that throws would stop the subscription silently: a bad position is reported by its events.
    checkpointReached: (_: unknown, position: LogPosition): void => {
      const reached = isKnown(position) ? markedText(position) : START;
      // A checkpoint between two records may be at the end of the log and then looks like a position of another log.
      const isOfRecord = position.commit === position.prepare;
      if (reached > checkpoint && (isOfRecord || reached <= end)) checkpoint = reached;
      reading.wake();
    },
  };
  const filter =
    types === null || types.length === 0
      ? eventTypeFilter({ ...marks, regex: types === null ? NOT_OF_THE_SERVER : NOTHING })
      : eventTypeFilter({ ...marks, prefixes: [...types] });
  const source = line.client.subscribeToAll(
    { fromPosition: at === 'start' ? FROM_START : at, filter },
    { highWaterMark: size },
  );
  const reading = pull<AllStreamResolvedEvent>(source, () => source.unsubscribe(), [line.lost, signal]);
  source.on('caughtUp', () => {
    isCaughtUp = true;
    reading.wake();
  });
  source.on('fellBehind', () => {
    isCaughtUp = false;
  });
  return { ...reading, checkpoint: () => checkpoint, isCaughtUp: () => isCaughtUp };
}
