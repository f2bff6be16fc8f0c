import type { Position } from './event-store.port.js';
import type { JsonObject } from '../values/json.js';

/**
 * Thrown by a decision or an answer that needs facts older than its state, because the state began from a snapshot or
 * was trimmed. Callers of `Commands` do not see it: the queue of the stream looks the facts up and decides again.
 */
export class Forgotten extends Error {
  constructor(
    readonly questions: readonly string[],
    /** The state lacks facts up to this position, so a lookup must cover all events up to it. */
    readonly upTo: Position,
  ) {
    super(`${questions.length} facts are older than the state in memory`);
    this.name = 'Forgotten';
  }
}

/** The facts that were found. The lookup covered every event up to `position`. */
export type Recalled = {
  readonly position: Position;
  readonly asked: readonly string[];
  /** By question; a question without an entry has no fact in the events up to `position`. */
  readonly found: ReadonlyMap<string, JsonObject>;
};

/**
 * Looks up facts older than the state of a stream. Null if the index is missing, unavailable or behind `upTo`; the whole
 * history of the stream is read instead. Rejects with `StoreUnavailable` if the index stopped at an event that it could
 * not fold: the command is refused.
 */
export type Recall = (
  stream: string,
  questions: readonly string[],
  upTo: Position,
) => Promise<Recalled | null>;
