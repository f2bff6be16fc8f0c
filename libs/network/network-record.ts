import { happenedAtMs, searchableText, type Observation, type ObservationKind } from './observation.js';
import { compareCodePoints } from './position.js';
import { hasWindowDate } from './sighting.js';

/**
 * The records of an observed network in a form that every store supports. Look-up fields of a store are derived from
 * them and are not included; neither are recent arrivals, because their readers also read the whole network from time
 * to time. Times are milliseconds since 1970; bodies and memories are the stored JSON texts.
 */
export type NetworkRecords = {
  readonly observation: {
    readonly kind: ObservationKind;
    readonly ref: string;
    readonly rev: number;
    readonly body: string;
    /** The body of the previous revision, for a person. */
    readonly previousBody: string | null;
    readonly isAutomatic: boolean;
    readonly closedAtMs: number | null;
    /** The date of the window, from `windowIn`. */
    readonly windowAtMs: number | null;
    readonly source: { readonly sourceId: string; readonly readAtMs: number } | null;
  };
  readonly move: {
    readonly person: string;
    readonly at: number;
    readonly rev: number;
    readonly body: string;
  };
  /** A city and a country in which it was observed. */
  readonly place: { readonly city: string; readonly countryCode: string };
  /** When a source about a company or person was last read. */
  readonly reading: { readonly ref: string; readonly readAtMs: number };
  /** How often the network learned facts of companies or people; no record before the first time. */
  readonly learning: { readonly learned: number };
  /** When the next request to a host is allowed. */
  readonly pace: { readonly host: string; readonly nextAtMs: number };
  /** The memory of a source's last poll, without its claim. */
  readonly poll: { readonly key: string; readonly memory: string };
};

export type NetworkPart = keyof NetworkRecords;

/** One part of a store, in key order: text by code points. */
export type RecordsOfPart<Stored> = {
  /** The exact or approximate number of records. */
  readonly count: () => Promise<number>;
  /** The first `limit` records after this one, or of all. */
  readonly behind: (after: Stored | null, limit: number) => Promise<readonly Stored[]>;
  /** Adds missing records, durably. */
  readonly add: (records: readonly Stored[]) => Promise<void>;
};

/** One end of a copy. Errors are those of the network store. */
export type NetworkCopyEnd = {
  readonly [Part in NetworkPart]: RecordsOfPart<NetworkRecords[Part]>;
};

type Key = readonly (string | number)[];
type KeyOf = { readonly [Part in NetworkPart]: (record: NetworkRecords[Part]) => Key };

const KEY_OF: KeyOf = {
  observation: ({ kind, ref }) => [kind, ref],
  move: ({ person, at, rev }) => [person, at, rev],
  place: ({ city, countryCode }) => [city, countryCode],
  reading: ({ ref }) => [ref],
  learning: () => [],
  pace: ({ host }) => [host],
  poll: ({ key }) => [key],
};

type ValuesOf = { readonly [Part in NetworkPart]: (record: NetworkRecords[Part]) => readonly unknown[] };

const VALUES_OF: ValuesOf = {
  observation: ({ rev, body, previousBody, isAutomatic, closedAtMs, windowAtMs, source }) => [
    rev,
    body,
    previousBody,
    isAutomatic,
    closedAtMs,
    windowAtMs,
    source === null ? null : [source.sourceId, source.readAtMs],
  ],
  move: ({ body }) => [body],
  place: () => [],
  reading: ({ readAtMs }) => [readAtMs],
  learning: ({ learned }) => [learned],
  pace: ({ nextAtMs }) => [nextAtMs],
  poll: ({ memory }) => [memory],
};

/** The key of the record within its part. */
export function recordKey<Part extends NetworkPart>(part: Part, record: NetworkRecords[Part]): Key {
  return KEY_OF[part](record);
}

/** The record as one line, equal for equal records of any store. */
export function recordLine<Part extends NetworkPart>(part: Part, record: NetworkRecords[Part]): string {
  return JSON.stringify([part, ...KEY_OF[part](record), ...VALUES_OF[part](record)]);
}

/** The key order: negative if the left key comes first. */
export function compareKeys(left: Key, right: Key): number {
  for (const [index, one] of left.entries()) {
    const other = right[index];
    const order =
      typeof one === 'string' && typeof other === 'string'
        ? compareCodePoints(one, other)
        : Number(one) - Number(other);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * The window date of an observation in its record: only if it may differ from the own date (SRC-02) and the
 * observation is searched. A post without a text is never searched.
 */
export function windowIn(observation: Observation, atMs: number | null): number | null {
  return isDatedApart(observation) ? atMs : null;
}

/** The date that a store orders the observation by. */
export function windowOf(observation: Observation, windowAtMs: number | null): number | null {
  return isDatedApart(observation) ? windowAtMs : happenedAtMs(observation);
}

function isDatedApart(observation: Observation): boolean {
  if (!hasWindowDate(observation)) return false;
  return observation.kind !== 'post' || searchableText(observation) !== null;
}
