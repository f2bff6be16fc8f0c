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
  /** Revision conflicts that one group may have before it gives up. */
  readonly mostConflicts: number;
  /** null if nothing can be looked up: forgotten facts are then read from the whole stream. */
  readonly recall: Recall | null;
  readonly turn: LoopTurn;
};

export type Outcomes = readonly Outcome<Pending>[];

/**
 * Where a group of commands on one stream is, with what the step needs of the one before:
 *
 *   looking ─▶ deciding ─▶ appending ─▶ answering ─▶ deciding
 *                 │             └─▶ catchingUp ─▶ deciding    somebody else was faster
 *                 ├─▶ settled                                 nobody is left unanswered
 *                 ├─▶ reading ─▶ deciding                     nothing is in memory
 *                 ├─▶ recalling ─▶ deciding                   a decision asks for what the state has forgotten
 *                 ├─▶ isolating ─▶ deciding                   a command's own events or answer threw
 *                 └─▶ confirming ─▶ answering or deciding     nothing to write: final when nobody else has written
 *
 * A store that is away, or an error of ours, ends the group where it is.
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
