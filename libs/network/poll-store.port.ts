import type { JsonObject } from '#kernel/values/json.js';
import type { ObservationKind } from './observation.js';
import type { Reading } from './sighting.js';

/** Postings that a board no longer has. */
export type Closing = {
  readonly refs: readonly string[];
  /**
   * When the request was sent whose answer lacks them, in milliseconds: postings observed later stay open (SRC-01).
   */
  readonly rev: number;
  readonly reading: Reading;
};

/**
 * The shared memories of source polls (SRC-06), in the network store; every write is durable before the next. Times
 * are real time in milliseconds. Errors: every method rejects as those of the network do.
 */
export type PollStore = {
  /** The memories of the last polls, by key; sources that were never polled are left out. */
  readonly memories: (keys: readonly string[]) => Promise<ReadonlyMap<string, JsonObject>>;
  /** Claims a source until that time and returns its memory; null if it is already claimed. */
  readonly claim: (
    key: string,
    holder: string,
    nowMs: number,
    untilMs: number,
  ) => Promise<{ readonly memory: JsonObject | null } | null>;
  /** Extends the claim; ignored if another holder has it by now. */
  readonly extend: (key: string, holder: string, untilMs: number) => Promise<void>;
  /** Stores the memory and keeps the claim. False: another holder has it by now, and nothing is stored. */
  readonly keep: (key: string, holder: string, memory: JsonObject) => Promise<boolean>;
  /** Stores the memory of a poll and releases the claim; ignored if another holder has it by now. */
  readonly settle: (key: string, holder: string, memory: JsonObject) => Promise<void>;
  /**
   * The time of the next request to a host: at least `paceMs` after the previous one, across all processes. A time after
   * `latestMs` is returned but not reserved.
   */
  readonly requestTimeOf: (host: string, nowMs: number, paceMs: number, latestMs: number) => Promise<number>;
  /** No request to the host before that time. */
  readonly holdBack: (host: string, untilMs: number) => Promise<void>;
  /** Records that a source about these companies and people was read, in product time; an earlier time is ignored. */
  readonly markRead: (refs: readonly string[], readAtMs: number) => Promise<void>;
  /** The refs of a kind that were observed before. */
  readonly known: (kind: ObservationKind, refs: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Refs of open job postings with this prefix. */
  readonly openPostings: (refPrefix: string) => Promise<readonly string[]>;
  /** Closes postings at the time of the reading; returns how many were open. */
  readonly closePostings: (closing: Closing) => Promise<number>;
};
