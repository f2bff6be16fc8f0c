import type { EventStore, NewEvent, Position, WrongExpectedRevision } from '../ports/event-store.port.js';
import type { Forgotten, Recall } from '../ports/recall.port.js';
import type { Pending } from './answering.js';
import type { DecidedStream, Outcome } from './decide-round.js';
import type { Doubts } from './doubts.js';
import type { LoopTurn } from './loop-turn.js';
import type { RetryPolicy } from './retry.js';
import type { Rivals } from './rivals.js';

/** A stream, with the state that this process keeps between two groups of commands. */
export type SettlingStream = DecidedStream & {
  readonly doubts: Doubts;
  readonly rivals: Rivals;
  readonly eventStore: EventStore;
  readonly retry: RetryPolicy;
  /** The maximum number of revision conflicts of one group. */
  readonly mostConflicts: number;
  /** null if there is no index: facts older than the state are then read from the whole stream. */
  readonly recall: Recall | null;
  readonly turn: LoopTurn;
};

export type Outcomes = readonly Outcome<Pending>[];

/**
 * The state of a group of commands on one stream, with the data from the state before:
 *
 *   looking ─▶ deciding ─▶ appending ─▶ answering ─▶ deciding
 *                 │             └─▶ catchingUp ─▶ deciding    another writer was faster
 *                 ├─▶ settled                                 all commands are answered
 *                 ├─▶ reading ─▶ deciding                     the state is not in memory
 *                 ├─▶ recalling ─▶ deciding                   a decision needs facts older than the state
 *                 ├─▶ isolating ─▶ deciding                   a command's own events or answer threw
 *                 └─▶ confirming ─▶ answering or deciding     nothing to write: final if no other writer appended
 *
 * An unavailable store or an internal error ends the group in its present state.
 */
export type SettlingState =
  | { readonly at: 'looking' }
  | { readonly at: 'reading' }
  | { readonly at: 'deciding'; readonly atMost: number }
  | { readonly at: 'recalling'; readonly asking: ReadonlyMap<Pending, Forgotten> }
  | { readonly at: 'isolating'; readonly by: Pending; readonly error: unknown; readonly before: number }
  | { readonly at: 'confirming'; readonly outcomes: Outcomes }
  | {
      readonly at: 'appending';
      readonly outcomes: Outcomes;
      readonly events: readonly NewEvent[];
      readonly rewind: () => void;
    }
  | { readonly at: 'catchingUp'; readonly expected: bigint; readonly conflict: WrongExpectedRevision }
  | { readonly at: 'answering'; readonly outcomes: Outcomes; readonly appendedUpTo: Position | null }
  | { readonly at: 'settled' };

/** A state of this kind. */
export type StepAt<At extends SettlingState['at']> = Extract<SettlingState, { readonly at: At }>;
