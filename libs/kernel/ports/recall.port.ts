import type { Position } from './event-store.port.js';
import type { JsonObject } from '../values/json.js';

/**
 * Thrown by a decision or an answer that needs what its state has forgotten: facts from before the place up to
 * which a snapshot (or trimmed memory) stands in for the events. Never seen by callers of `Commands`: the
 * queue of the stream looks the questions up and decides again.
 */
export class Forgotten extends Error {
  constructor(
    readonly questions: readonly string[],
    /** Position up to which the state has forgotten: a look-up counts only when it has seen all of that. */
    readonly upTo: Position,
  ) {
    super(`${questions.length} facts are older than what is remembered`);
    this.name = 'Forgotten';
  }
}

/** What was found out, with the proof: every event up to `position` had been seen when it was looked up. */
export type Recalled = {
  readonly position: Position;
  readonly asked: readonly string[];
  /** By question; a question without an entry has no fact in the events up to `position`. */
  readonly found: ReadonlyMap<string, JsonObject>;
};

/**
 * Looks up what states of a category have forgotten. Null where it cannot be told now (nothing there, away, or
 * behind `upTo`): the stream's whole history is then read instead. Rejects with `StoreUnavailable` where the
 * index stopped at an event it could not fold: the command is refused rather than guessed.
 */
export type Recall = (
  stream: string,
  questions: readonly string[],
  upTo: Position,
) => Promise<Recalled | null>;
