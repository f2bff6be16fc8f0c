import { eventTypeFilter, START as FROM_START, type AllStreamResolvedEvent } from '@eventstore/db-client';
import { START, type Position } from '#kernel/event-store.port.js';
import type { Line } from './connection.js';
import { isKnown, logPosition, positionText, type LogPosition } from './position-text.js';
import { pull, type Pull } from './pull.js';

export type Subscription = Pull<AllStreamResolvedEvent> & {
  /** Everything that matches up to here has been pushed; holds once all that was pushed is taken. */
  readonly checkpoint: () => Position;
  /** True while the server says that it has nothing more; holds once all that was pushed is taken. */
  readonly isCaughtUp: () => boolean;
};

/** A checkpoint for each so many pages that the server looks through. */
const CHECKPOINT_INTERVAL = 8;
/** Everything but the server's own events and links. */
const NOT_OF_THE_SERVER = '^[^$]';
const NOTHING = '(?!)';

/** Opens a subscription after a position, filtered by the server; `types` null means every type. */
export function openSubscription(
  line: Line,
  after: Position,
  types: readonly string[] | null,
  size: number,
  signal: AbortSignal,
): Subscription {
  let checkpoint: Position = START;
  let isCaughtUp = false;
  const at = logPosition(after);
  const marks = {
    checkpointInterval: CHECKPOINT_INTERVAL,
    // A callback that throws would hang the subscription silently: a bad position is left to its events.
    checkpointReached: (_: unknown, position: LogPosition): void => {
      const reached = isKnown(position) ? positionText(position) : START;
      if (reached > checkpoint) checkpoint = reached;
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
