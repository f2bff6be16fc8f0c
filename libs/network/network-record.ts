import { happenedAtMs, searchableText, type Observation, type ObservationKind } from './observation.js';
import { compareCodePoints } from './position.js';
import { hasWindowDate } from './sighting.js';

/**
 * What a store of the observed network holds, as each of them can hold it. What a store looks records up by follows from
 * them and is no part of them, nor is what arrived lately: who follows it looks at the whole network from time to time. Moments are milliseconds since 1970; bodies and memories are the JSON texts as they are
 * stored.
 */
export type NetworkRecords = {
  readonly observation: {
    readonly kind: ObservationKind;
    readonly ref: string;
    readonly rev: number;
    readonly body: string;
    /** The body of the revision before, of a person. */
    readonly previousBody: string | null;
    readonly isAutomatic: boolean;
    readonly closedAtMs: number | null;
    /** The date that windows go by, as `windowIn` gives it. */
    readonly windowAtMs: number | null;
    readonly source: { readonly sourceId: string; readonly readAtMs: number } | null;
  };
  readonly move: {
    readonly person: string;
    readonly at: number;
    readonly rev: number;
    readonly body: string;
  };
  /** A city and a country that it was seen in. */
  readonly place: { readonly city: string; readonly countryCode: string };
  /** When a source was last read that is about a company or person. */
  readonly reading: { readonly ref: string; readonly readAtMs: number };
  /** How often the network learned of companies or people; none where it never did. */
  readonly learning: { readonly learned: number };
  /** When a host may be asked next. */
  readonly pace: { readonly host: string; readonly nextAtMs: number };
  /** What the last poll of a source left. Who has a source in hand is no part of it. */
  readonly poll: { readonly key: string; readonly memory: string };
};

export type NetworkPart = keyof NetworkRecords;

/** One part of a store, in the order of its keys: text by code points. */
export type RecordsOfPart<Stored> = {
  /** How many there are, or about so many. */
  readonly count: () => Promise<number>;
  /** The first `limit` of them behind this one, or of all. */
  readonly behind: (after: Stored | null, limit: number) => Promise<readonly Stored[]>;
  /** Adds what is not there, durably. */
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

/** What names the record within its part. */
export function recordKey<Part extends NetworkPart>(part: Part, record: NetworkRecords[Part]): Key {
  return KEY_OF[part](record);
}

/** The record as one line, which is the same for equal records of any store. */
export function recordLine<Part extends NetworkPart>(part: Part, record: NetworkRecords[Part]): string {
  return JSON.stringify([part, ...KEY_OF[part](record), ...VALUES_OF[part](record)]);
}

/** The order of keys: below 0 where the left one comes first. */
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
 * The window date of an observation as a record has it: only where it may be another one than the own date (SRC-02), and
 * where somebody looks for it. A post without a text is never looked for.
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
