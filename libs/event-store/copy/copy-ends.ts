import type { EventStore, StreamAppend } from '#kernel/ports/event-store.port.js';

/** The facts about a source store that are read before anything is written. */
export type SourceSurvey = {
  /** The number of our events: for the progress, not for the proof. */
  readonly events: number;
  /** The records that a copy leaves out: records of the server itself, and events of other programs. */
  readonly leftOut: { readonly system: number; readonly foreign: number };
  /** Streams of any program that were deleted or truncated on the server, with the change. */
  readonly changed: ReadonlyMap<string, string>;
};

/** The source of the copy. No process may write to it meanwhile. */
export type CopySource = Pick<EventStore, 'readAll'> & {
  readonly survey: (onRecords: (done: number) => void) => Promise<SourceSurvey>;
};

/** How much is sent to the destination before its answer is awaited. */
export type WaveLimits = {
  readonly appends: number;
  readonly eventsPerAppend: number;
  readonly bytes: number;
};

/** The destination. No other process may write to it meanwhile. */
export type CopyDestination = Pick<EventStore, 'readAll'> & {
  readonly limits: WaveLimits;
  /**
   * Writes the appends in this order. After a rejection, the destination contains a prefix of them without a gap, so
   * the order of all events is kept.
   */
  readonly write: (appends: readonly StreamAppend[]) => Promise<void>;
};

const EVENTS_PER_APPEND = 200;
const WAVE_BYTES = 1 << 20;

/** A store without order guarantees between two appends: each append is sent after the answer to the one before. */
export function oneAppendAtATime(store: Pick<EventStore, 'readAll' | 'append'>): CopyDestination {
  return {
    readAll: (read) => store.readAll(read),
    limits: { appends: 1, eventsPerAppend: EVENTS_PER_APPEND, bytes: WAVE_BYTES },
    write: async (appends) => {
      for (const { stream, expected, events } of appends) await store.append(stream, expected, events);
    },
  };
}

/** A store that takes many appends atomically: one wait for the disk per wave. */
export function wavesAtOnce(
  store: Pick<EventStore, 'readAll'> & { readonly appendWhole: CopyDestination['write'] },
): CopyDestination {
  return {
    readAll: (read) => store.readAll(read),
    limits: { appends: 2_000, eventsPerAppend: EVENTS_PER_APPEND, bytes: WAVE_BYTES },
    write: (appends) => store.appendWhole(appends),
  };
}
