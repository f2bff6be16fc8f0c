import type { EventMetadata, Position, StoredEvent } from '../ports/event-store.port.js';
import type { EventOf, PayloadsOf, Recorded, Vocabulary } from '../events/event.js';
import type { Scope } from './scope.js';
import type { Leaving, Live } from './turn.js';
import { decodeEvent, UnreadableEvent } from '../events/event-codec.js';
import type { JsonObject } from '../values/json.js';
import type { Recalled } from '../ports/recall.port.js';

/** Folds one event into the state. The fold owns the given state and may change it in place. */
export type Evolve<State, Data> = (state: State, event: Recorded<Data>) => State;

/** The part of an event to append that the seal of an aggregate uses. */
export type Sealable = {
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  readonly revision: bigint;
};

/** An aggregate as data: its streams, its events and how they fold. Decisions are functions of its state. */
export type Decider<State, V extends Vocabulary = Vocabulary> = {
  /** Text before the first dash of the stream name; camelCase without dashes. */
  readonly category: string;
  readonly scope: Scope<EventOf<PayloadsOf<V>>>;
  readonly vocabulary: V;
  readonly initial: () => State;
  readonly on: { readonly [Type in keyof V & string]?: Evolve<State, PayloadsOf<V>[Type]> };
  /**
   * The events that have fallen due by `at` (RFC 3339, UTC, milliseconds), oldest first. They are folded before a
   * decision and written before its events. If nothing is written, the next write includes them.
   */
  readonly due?: (state: State, at: string) => readonly Due<EventOf<PayloadsOf<V>>>[];
  /**
   * The events that must follow the newest event of this state in the same append. Called after due events and after each
   * decision with events, when they are folded. Its events change the state so that a second call returns none. At most
   * `MAX_FOLLOWING_BYTES` of events.
   */
  readonly follows?: (state: State) => readonly EventOf<PayloadsOf<V>>[];
  /** True for decisions on money or uniqueness: an unknown event type stops the command instead of being skipped. */
  readonly strict?: boolean;
  /**
   * Hash chain: takes the hash of the previous event ('' for the first) and the event, and returns the hash that is
   * stored in its metadata as `hash`. Runs when the batch is assembled.
   */
  readonly seal?: (previousHash: string, event: Sealable) => string;
  /** The approximate size that an event adds to a state in memory, in bytes; 256 if not given. */
  readonly bytesOf?: (event: { readonly type: string; readonly data: JsonObject }) => number;
  /** For aggregates with long streams: how the state is written to a snapshot and read back. */
  readonly snapshot?: {
    readonly every: number;
    /**
     * The number of entries that a snapshot lists: at least as many events come before the next snapshot. Absent:
     * few.
     */
    readonly sizeOf?: (state: State) => number;
    /** Increased when `toJson` changes; older snapshots are then ignored. */
    readonly stateVersion: number;
    /** Facts left out here are looked up when a decision asks for them (`recall`). */
    readonly toJson: (state: State) => JsonObject;
    /** The state after the event at `point`. Throws for unreadable data: the snapshot is then ignored. */
    readonly fromJson: (json: JsonObject, point: StreamPoint) => State;
    /**
     * Removes from a state, in place, the facts of events up to `point` that recall can bring back. False if it keeps them,
     * because they are few.
     */
    readonly forget?: (state: State, point: StreamPoint) => boolean;
  };
  /** Adds looked-up facts to the state, in place, where decisions find them. */
  readonly recall?: (state: State, recalled: Recalled) => void;
  /**
   * Marks the state; the returned function resets the state to the mark. Without `mark`, a failed append costs a new
   * read of the stream.
   */
  readonly rewind?: (state: State) => () => void;
  /**
   * Whether these events of one command end something that another stream charges for, given the state after them.
   * Such a command is answered after `CommandsSettings.onStop`.
   */
  readonly stops?: (state: State, events: readonly EventOf<PayloadsOf<V>>[]) => boolean;
};

/** The maximum bytes of events that follow one decision; every append reserves them. */
export const MAX_FOLLOWING_BYTES = 16 * 1024;

/** An event that time alone causes, and when it fell due, which is its recording time. */
export type Due<Event> = { readonly event: Event; readonly at: string };

/** A position in a stream: the revision of an event, and the position of the same event in the log. */
export type StreamPoint = { readonly revision: bigint; readonly position: Position };

/** Declares an aggregate. The type parameter names the state, so that `on` and the decisions agree. */
export function decider<State>() {
  return <const V extends Vocabulary>(spec: Decider<State, V>): Decider<State, V> => spec;
}

/**
 * A decision: the events that follow from the state. `[]` if there is nothing to do; a declared refusal is thrown if
 * the caller may not. Pure: time, ids and outside facts are arguments.
 */
export type Decision<State, V extends Vocabulary> = (state: State) => readonly EventOf<PayloadsOf<V>>[];

/**
 * A decision that depends on the time. `at` (RFC 3339, UTC, milliseconds) is the recording time of its events: the
 * clock, or the time of the last event of the stream if that is later. Events due by then are in the state.
 */
export type TimedDecision<State, V extends Vocabulary> = (
  state: State,
  at: string,
) => readonly EventOf<PayloadsOf<V>>[];

/**
 * The caller's answer: read from the state right after the decision, with the decided events. Plain data only,
 * because the state changes later.
 */
export type DecisionAnswer<State, V extends Vocabulary, Result> = (
  state: Live<State>,
  events: readonly EventOf<PayloadsOf<V>>[],
) => Result & Leaving<Result>;

/**
 * A decision that needs facts from outside its stream. `prepare` looks them up and may refuse. It runs once, before
 * the decision, and does not run if an earlier attempt at the command was carried out.
 */
export type Prepared<State, V extends Vocabulary> = {
  readonly prepare: () => Promise<TimedDecision<State, V>>;
};

/** The name of an aggregate's stream; an aggregate that exists once (`prices`, `catalogue`) has the id ''. */
export function streamName(decider: { readonly category: string }, id: string): string {
  return id === '' ? decider.category : `${decider.category}-${id}`;
}

/** Id part of `<workspace>_<id>` streams. */
export function workspaceScoped(workspaceId: number, id: number | string): string {
  return `${workspaceId}_${id}`;
}

/** Who sends a command and why; it becomes the metadata of every event of the command. */
export type CommandContext = {
  /**
   * Names the command: random for a caller's request, derived from the cause for a process, so that the
   * same command sent twice is recognised.
   */
  readonly commandId: string;
  readonly actor: {
    readonly kind: 'apiKey' | 'operator' | 'process' | 'system';
    readonly id: string;
    /** Present if the id was given at the command line without proof. */
    readonly via?: 'cli';
  };
  /**
   * The workspace that the caller may act for; null: any workspace. The stream says which workspace an event belongs
   * to.
   */
  readonly workspaceId: number | null;
  /** The request id of the HTTP request or command-line call at the root of the command. */
  readonly correlationId: string;
  /** Id of the event that caused it, for processes. */
  readonly causationId?: string;
  readonly traceparent?: string;
  /**
   * Set if an earlier attempt may have carried out the command, not before this time. The stream is then searched for
   * the command before it is decided, and a found command is answered from there.
   */
  readonly mayBeDoneSince?: string;
  /**
   * As `mayBeDoneSince`, for a first attempt: only an attempt that overlaps it may have carried out the command, after
   * this position.
   */
  readonly mayBeDoneAfter?: Position;
};

/**
 * The context of one step of a command that sends several. The id of the step is derived, so that a repeated step is
 * recognised.
 */
export const contextOfStep = <Context extends CommandContext>(
  context: Context,
  step: string | number,
): Context => ({ ...context, commandId: `${context.commandId}:${step}` });

/** What a look at a stream gave. */
export type Looked<Answer> = {
  readonly answer: Answer;
  readonly revision: bigint;
  /** The current end of the stream, which a reader of the read models has to wait for. Null for an empty stream. */
  readonly position: Position | null;
  /** The read models did not catch up within the waiting time. */
  readonly late?: true;
};

/** The result of a command. `answer` was computed on the state right after its own decision. */
export type Handled<Answer> = Looked<Answer> & {
  /** Number of events that this command wrote; 0 for a no-op or a replay. */
  readonly appended: number;
};

/**
 * Folds one stored event into a state. An event type that the aggregate does not know is skipped; for decisions on
 * money or uniqueness it throws `UnreadableEvent`, because a newer version wrote it.
 */
export function evolve<State>(decider: Foldable<State>, state: State, stored: StoredEvent): State {
  const recorded = decodeEvent(decider.vocabulary, stored);
  if (recorded === null) {
    if (decider.strict !== true) return state;
    throw new UnreadableEvent(stored, 'this version does not know the type; a newer version wrote it');
  }
  const fold = Object.hasOwn(decider.on, stored.type) ? decider.on[stored.type] : undefined;
  // The types of vocabulary and folds agree; only the event at run time says which one applies.
  return fold === undefined ? state : fold(state, recorded as Recorded<never>);
}

/** The part of an aggregate that folding needs, for any events. */
export type Foldable<State> = {
  readonly vocabulary: Vocabulary;
  readonly on: { readonly [type: string]: Evolve<State, never> | undefined };
  readonly strict?: boolean;
};
