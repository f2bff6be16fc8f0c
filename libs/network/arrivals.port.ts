import type { ObservationKind } from './observation.js';

/** An accepted observation, as the store has it now. */
export type Arrival = {
  readonly kind: ObservationKind;
  readonly ref: string;
  /** The date that windows go by, in milliseconds; null: it is in none. */
  readonly atMs: number | null;
  /** Ref of its author, actor or company; of a person the present employer; null: of nobody that is known. */
  readonly subject: string | null;
  /** Of a comment or reaction: ref of the author of the post; null where that is not known. */
  readonly host: string | null;
  /** The text that keywords are looked for in; null: none. */
  readonly text: string | null;
};

/** Reads arrivals in their order. One reader is used by one caller at a time. */
export type ArrivalReader = {
  /** The next arrivals, at most `limit`; [] when there are none now. */
  readonly next: (limit: number) => Promise<readonly Arrival[]>;
};

/**
 * What the network store accepted lately: for work that follows the network within seconds. Old arrivals are dropped, and a
 * crash of a writer may lose the last ones, so whoever must see everything looks at the network again once a while. Errors:
 * reads reject with `StoreUnavailable` or `StoreUnusable` as the event store does.
 */
export interface NetworkArrivals {
  /** Begins behind what arrived before `sinceMs` (real time, in milliseconds). */
  readonly from: (sinceMs: number) => ArrivalReader;
}
