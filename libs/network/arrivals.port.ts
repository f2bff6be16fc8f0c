import type { ObservationKind } from './observation.js';

/** An accepted observation, as the store has it now. */
export type Arrival = {
  readonly kind: ObservationKind;
  readonly ref: string;
  /** The date of the window, in milliseconds; null: it is in no window. */
  readonly atMs: number | null;
  /** Ref of its author, actor or company; for a person the current employer; null: unknown. */
  readonly subject: string | null;
  /** For a comment or reaction: ref of the author of the post; null if it is unknown. */
  readonly host: string | null;
  /** The text that keywords are searched in; null: none. */
  readonly text: string | null;
};

/** Reads arrivals in their order. Only one caller at a time uses a reader. */
export type ArrivalReader = {
  /** The next arrivals, at most `limit`; [] if there are none now. */
  readonly next: (limit: number) => Promise<readonly Arrival[]>;
};

/**
 * The observations that the network store accepted recently, for work that follows the network within seconds. Old
 * arrivals are dropped, and a crash of a writer may lose the last ones; a reader that must see everything also reads
 * the network from time to time. Errors: reads reject with `StoreUnavailable` or `StoreUnusable` as the event store
 * does.
 */
export interface NetworkArrivals {
  /**
   * Begins with the arrivals of the last `ms` milliseconds before its first read, by the clock that the store gives them their
   * times with: that of the reader may differ. Infinity: all.
   */
  readonly ofLast: (ms: number) => ArrivalReader;
}
