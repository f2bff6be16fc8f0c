import type { JsonObject } from '#kernel/values/json.js';
import type { ObservationKind } from './observation.js';
import type { Reading } from './sighting.js';

/** Postings of a board that are there no more. */
export type Closing = {
  readonly refs: readonly string[];
  /** When the request was sent whose answer lacks them, in milliseconds: what was seen later stays open (SRC-01). */
  readonly rev: number;
  readonly reading: Reading;
};

/**
 * What polls of sources remember and share (SRC-06): it lies with the network, and every write is durable before the
 * next. Moments are real time in milliseconds. Errors: every method rejects as those of the network do.
 */
export type PollStore = {
  /** What the last polls left, by key; what was never polled is left out. */
  readonly memories: (keys: readonly string[]) => Promise<ReadonlyMap<string, JsonObject>>;
  /** Takes a source in hand until then, unless somebody has it: null. Answers with what the last poll left. */
  readonly claim: (
    key: string,
    holder: string,
    nowMs: number,
    untilMs: number,
  ) => Promise<{ readonly memory: JsonObject | null } | null>;
  /** Keeps it in hand for longer; nothing where another has it by now. */
  readonly extend: (key: string, holder: string, untilMs: number) => Promise<void>;
  /** Keeps what a poll leaves and gives the source back; nothing where another has it by now. */
  readonly settle: (key: string, holder: string, memory: JsonObject) => Promise<void>;
  /**
   * When a host may be asked: a turn of its own, so long after the one before, over all processes. A turn behind
   * `latestMs` is told and not taken.
   */
  readonly turnOf: (host: string, nowMs: number, paceMs: number, latestMs: number) => Promise<number>;
  /** The host gives no turn before then. */
  readonly holdBack: (host: string, untilMs: number) => Promise<void>;
  /** A source that is about these companies and people was read, at a time of the clock; an earlier one changes nothing. */
  readonly markRead: (refs: readonly string[], readAtMs: number) => Promise<void>;
  /** Those of these refs of a kind that were observed before. */
  readonly known: (kind: ObservationKind, refs: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Refs of job postings with this beginning that are not closed. */
  readonly openPostings: (refPrefix: string) => Promise<readonly string[]>;
  /** Closes them at the time of the reading; answers how many were open until then. */
  readonly closePostings: (closing: Closing) => Promise<number>;
};
