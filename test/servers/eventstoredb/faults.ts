import { setTimeout } from 'node:timers/promises';
import { seededRandom } from '#test/support/seeded-random.js';

/** Delays of the server, by a seed: each call by up to `callMs`, each delivered record by up to `gapMs`. */
export type Delays = { readonly seed: number; readonly callMs: number; readonly gapMs: number };

/** Faults of appends. */
export type AppendFault =
  /** No answer; the client waits. */
  | 'silence before the write'
  | 'silence after the write'
  /** The server ends the stream in good order, without an answer. */
  | 'clean end before the write'
  | 'clean end after the write'
  /** The process dies, as after kill -9. */
  | 'kill before the write'
  | 'kill after the write'
  /** Written, but the connection breaks before the answer. */
  | 'break after the write'
  | 'not leader'
  | 'not ready'
  | 'timeout after the write'
  | 'internal error after the write'
  | 'unknown before the write'
  | 'access denied'
  /** Repetitions are met with a conflict, as by a server that has forgotten them. */
  | 'forgets ids';

/** Faults of reads and subscriptions. */
export type ReadFault =
  | 'silence'
  | 'clean end'
  | 'unavailable'
  | 'not ready'
  | 'access denied'
  | 'consumer too slow'
  /** The disk cannot be read; the server answers a position inside a record with the same error. */
  | 'unreadable'
  /** Only for subscriptions: connected, and nothing ever comes. */
  | 'deaf';

export type Faults = {
  /** Null: it answers as fast as it can. */
  delays: Delays | null;
  append: AppendFault | null;
  /** Number of appends with the fault; later ones succeed. */
  appendTimes: number;
  /** Appends that succeed before the fault begins. */
  appendAfter: number;
  read: ReadFault | null;
  readTimes: number;
  subscription: ReadFault | null;
  subscriptionTimes: number;
  /** Ends a live subscription cleanly after this many events. */
  endAfterEvents: number | null;
  /** Sends a checkpoint this far ahead of the last event that was sent. */
  checkpointAhead: boolean;
  /**
   * Sends, once, a checkpoint at a live event before that event, as up to 22.10.3; then the event, or nothing more.
   */
  markBeforeEvent: 'the event follows' | 'the stream ends' | null;
  /** Live subscribers get nothing any more, and no notice. */
  deafWhenLive: boolean;
  /** Checkpoints have no position: minus one as an unsigned number. */
  checkpointsWithoutPosition: boolean;
  /** Returns the events of this stream as links whose target was deleted: there is a link, and no event. */
  lostTargetsIn: string | null;
  /** Never reports that it has caught up, as before 23.10. */
  neverCaughtUp: boolean;
  /** Leaves the positions out of stream reads, as before 22.6. */
  withoutPositions: boolean;
  /** Sends an event again when a subscription is resumed, as for an inclusive start. */
  inclusiveResume: boolean;
  /** Delivers an old event again in the middle of a subscription. */
  goesBack: boolean;
  gossip: 'no leader' | 'unreachable' | null;
  /** Has no batch appends, as before 21.6. */
  withoutBatches: boolean;
  /** Answers appends with the correlation id in two halves. */
  structuredIds: boolean;
};

export function noFaults(): Faults {
  return {
    delays: null,
    append: null,
    appendTimes: 1,
    appendAfter: 0,
    read: null,
    readTimes: 1,
    subscription: null,
    subscriptionTimes: 1,
    endAfterEvents: null,
    checkpointAhead: false,
    markBeforeEvent: null,
    deafWhenLive: false,
    checkpointsWithoutPosition: false,
    lostTargetsIn: null,
    neverCaughtUp: false,
    withoutPositions: false,
    inclusiveResume: false,
    goesBack: false,
    gossip: null,
    withoutBatches: false,
    structuredIds: false,
  };
}

export function takeAppendFault(faults: Faults): AppendFault | null {
  if (faults.append === null) return null;
  if (faults.appendAfter > 0) {
    faults.appendAfter -= 1;
    return null;
  }
  const fault = faults.append;
  faults.appendTimes -= 1;
  if (faults.appendTimes <= 0) faults.append = null;
  return fault;
}

export function takeReadFault(faults: Faults, kind: 'read' | 'subscription'): ReadFault | null {
  const fault = faults[kind];
  if (fault === null) return null;
  const times = kind === 'read' ? 'readTimes' : 'subscriptionTimes';
  faults[times] -= 1;
  if (faults[times] <= 0) faults[kind] = null;
  return fault;
}

const randomOf = new WeakMap<Delays, () => number>();

/** Waits by the seed before a call is served, or a record is delivered. */
export async function late({ delays }: Faults, by: 'callMs' | 'gapMs'): Promise<void> {
  if (delays === null) return;
  const random = randomOf.get(delays) ?? seededRandom(delays.seed);
  randomOf.set(delays, random);
  await setTimeout(Math.round(random() * delays[by]));
}
