import type { EventStore, StreamAppend } from '#kernel/ports/event-store.port.js';

/** What a store that is copied from tells about itself before anything is written. */
export type SourceSurvey = {
  /** How many events of ours there are: for the progress, not for the proof. */
  readonly events: number;
  /** What a copy leaves out: records of the server itself, and events that other programs wrote. */
  readonly leftOut: { readonly system: number; readonly foreign: number };
  /** Streams that were deleted or cut off on the server, whosever they are, and what was done to each. */
  readonly changed: ReadonlyMap<string, string>;
};

/** The store that is copied. Nobody may write to it meanwhile. */
export type CopySource = Pick<EventStore, 'readAll'> & {
  readonly survey: (onRecords: (done: number) => void) => Promise<SourceSurvey>;
};

/** How much goes to the destination before its answer is waited for. */
export type WaveLimits = {
  readonly appends: number;
  readonly eventsPerAppend: number;
  readonly bytes: number;
};

/** The store that is written. Nobody else may write to it meanwhile. */
export type CopyDestination = Pick<EventStore, 'readAll'> & {
  readonly limits: WaveLimits;
  /**
   * Writes the appends in this order. Whatever has become of them when it rejects: what stands there is a
   * beginning of them, none left out, so that the order of all events is kept.
   */
  readonly write: (appends: readonly StreamAppend[]) => Promise<void>;
};

const EVENTS_PER_APPEND = 200;
const WAVE_BYTES = 1 << 20;

/** A store that promises no order between two appends: the next is sent when the one before is answered. */
export function oneAppendAtATime(store: Pick<EventStore, 'readAll' | 'append'>): CopyDestination {
  return {
    readAll: (read) => store.readAll(read),
    limits: { appends: 1, eventsPerAppend: EVENTS_PER_APPEND, bytes: WAVE_BYTES },
    write: async (appends) => {
      for (const { stream, expected, events } of appends) await store.append(stream, expected, events);
    },
  };
}

/** A store that takes many appends as a whole, all or none: one wait for the disk for each wave. */
export function wavesAtOnce(
  store: Pick<EventStore, 'readAll'> & { readonly appendWhole: CopyDestination['write'] },
): CopyDestination {
  return {
    readAll: (read) => store.readAll(read),
    limits: { appends: 2_000, eventsPerAppend: EVENTS_PER_APPEND, bytes: WAVE_BYTES },
    write: (appends) => store.appendWhole(appends),
  };
}
