import type { EventMetadata, Position, StoredEvent } from '../ports/event-store.port.js';
import type { EventOf, PayloadsOf, Recorded, Vocabulary } from '../events/event.js';
import type { Scope } from './scope.js';
import type { Leaving, Live } from './turn.js';
import { decodeEvent, UnreadableEvent } from '../events/event-codec.js';
import type { JsonObject } from '../values/json.js';
import type { Recalled } from '../ports/recall.port.js';

/** Folds one event into the state. It owns the state it is given and may change it in place. */
export type Evolve<State, Data> = (state: State, event: Recorded<Data>) => State;

/** What the seal of an aggregate sees of an event that is about to be appended. */
export type Sealable = {
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  readonly revision: bigint;
};

/** An aggregate as data: which streams, which events, how they fold. Decisions are functions of its state. */
export type Decider<State, V extends Vocabulary = Vocabulary> = {
  /** Text before the first dash of the stream name; camelCase without dashes. */
  readonly category: string;
  readonly scope: Scope<EventOf<PayloadsOf<V>>>;
  readonly vocabulary: V;
  readonly initial: () => State;
  readonly on: { readonly [Type in keyof V & string]?: Evolve<State, PayloadsOf<V>[Type]> };
  /**
   * What has fallen due by `at` (RFC 3339, UTC, milliseconds), oldest first. It is folded before a decision and written
   * before what the decision makes; where nothing is written, it is left to the next.
   */
  readonly due?: (state: State, at: string) => readonly Due<EventOf<PayloadsOf<V>>>[];
  /**
   * What must stand behind the newest event of this state, in the same append; none where nothing must. It is asked after
   * what was due and after each decision that made events, folded, and never follows itself: what it gives changes the
   * state so that asking again gives nothing. At most `MAX_FOLLOWING_BYTES` of events.
   */
  readonly follows?: (state: State) => readonly EventOf<PayloadsOf<V>>[];
  /** True where money or uniqueness is decided: an unknown event type stops the command instead of being skipped. */
  readonly strict?: boolean;
  /**
   * Hash chain: gets the hash of the previous event ('' for the first) and the event, gives the hash that is
   * stored in its metadata as `hash`. Run where the batch is put together.
   */
  readonly seal?: (previousHash: string, event: Sealable) => string;
  /** What an event adds to a state that is kept in memory, about, in bytes; 256 where nothing is said. */
  readonly bytesOf?: (event: { readonly type: string; readonly data: JsonObject }) => number;
  /** Present where streams get long: how the state goes into a snapshot and comes back. */
  readonly snapshot?: {
    readonly every: number;
    /** How many things a snapshot of it lists: as many events at least come before the next. Absent: few. */
    readonly sizeOf?: (state: State) => number;
    /** Goes up when `toJson` changes; older snapshots are then ignored. */
    readonly stateVersion: number;
    /** What is left out here is looked up when a decision asks for it (`recall`). */
    readonly toJson: (state: State) => JsonObject;
    /** The state after the event at `place`. Throws for what cannot be read: the snapshot is then ignored. */
    readonly fromJson: (json: JsonObject, place: StreamPlace) => State;
    /** Drops from a living state, in place, what recall can bring back of the events up to `place`. */
    readonly forget?: (state: State, place: StreamPlace) => void;
  };
  /** Puts looked-up facts into the state, in place, where decisions find them. */
  readonly recall?: (state: State, recalled: Recalled) => void;
  /**
   * Marks the state; the function it gives brings it back to the mark. Without it, decisions whose append
   * failed cost a new read of the stream.
   */
  readonly rewind?: (state: State) => () => void;
  /**
   * Whether these events of one command end something that another stream charges for, given the state after them. Such
   * a command is answered after `CommandsSettings.onStop`.
   */
  readonly stops?: (state: State, events: readonly EventOf<PayloadsOf<V>>[]) => boolean;
};

/** Most bytes of events that follow one decision: every append keeps room for them. */
export const MAX_FOLLOWING_BYTES = 16 * 1024;

/** An event that time alone brings about, and when it fell due: that is when it is recorded. */
export type Due<Event> = { readonly event: Event; readonly at: string };

/** A place in a stream: its revision, and where that event stands among all events. */
export type StreamPlace = { readonly revision: bigint; readonly position: Position };

/** Declares an aggregate; names the state so that `on` and the decisions agree. */
export function decider<State>() {
  return <const V extends Vocabulary>(spec: Decider<State, V>): Decider<State, V> => spec;
}

/**
 * A decision: what happens, given the state. Nothing to do is `[]`; not allowed throws a declared refusal.
 * Pure: time, ids and outside facts are its arguments.
 */
export type Decision<State, V extends Vocabulary> = (state: State) => readonly EventOf<PayloadsOf<V>>[];

/**
 * A decision that asks what time it is. `at` (RFC 3339, UTC, milliseconds) is when its events are recorded: the clock, or
 * the last event of the stream where that is later. What has fallen due by then is in the state.
 */
export type TimedDecision<State, V extends Vocabulary> = (
  state: State,
  at: string,
) => readonly EventOf<PayloadsOf<V>>[];

/**
 * What the caller learns from a decision: read off the state right after it, with the events it made. Plain data
 * alone, for the state goes on changing.
 */
export type Answer<State, V extends Vocabulary, Result> = (
  state: Live<State>,
  events: readonly EventOf<PayloadsOf<V>>[],
) => Result & Leaving<Result>;

/**
 * A decision that needs what its stream does not say. `prepare` looks that up and may refuse; it runs once, before
 * the decision, and not at all where an earlier attempt at the command is found to have carried it out.
 */
export type Prepared<State, V extends Vocabulary> = {
  readonly prepare: () => Promise<Decision<State, V>>;
};

/** The name of an aggregate's stream; an aggregate that exists once (`prices`, `catalogue`) has the id ''. */
export function streamName(decider: { readonly category: string }, id: string): string {
  return id === '' ? decider.category : `${decider.category}-${id}`;
}

/** Id part of `<workspace>_<id>` streams. */
export function workspaceScoped(workspaceId: number, id: number | string): string {
  return `${workspaceId}_${id}`;
}

/** Who asks for a command and why; it becomes the metadata of every event of the command. */
export type CommandContext = {
  /**
   * Names the command: random for a caller's request, derived from the cause for a process, so that the
   * same command sent twice is recognised.
   */
  readonly commandId: string;
  readonly actor: {
    readonly kind: 'apiKey' | 'operator' | 'process' | 'system';
    readonly id: string;
    /** Present where the id was asserted at the command line and proven by nothing. */
    readonly via?: 'cli';
  };
  /** Whom the caller may speak for; null: anybody. Whose an event is, its stream says. */
  readonly workspaceId: number | null;
  /** The request id of the HTTP request or CLI call at the root of it. */
  readonly correlationId: string;
  /** Id of the event that caused it, for processes. */
  readonly causationId?: string;
  readonly traceparent?: string;
  /**
   * Set where an earlier attempt may have carried the command out already: not before this time. It is then
   * looked for on its stream before it is decided, and answered from there.
   */
  readonly mayBeDoneSince?: string;
};

/** What a look at a stream gave. */
export type Looked<Answer> = {
  readonly answer: Answer;
  readonly revision: bigint;
  /** Where the stream ends now: what a reader of the read models has to wait for. Null for an empty stream. */
  readonly position: Position | null;
  /** The read models were waited for in vain. */
  readonly late?: true;
};

/** What a command did. `answer` was computed on the state right after its own decision. */
export type Handled<Answer> = Looked<Answer> & {
  /** Number of events that this command wrote; 0 for a no-op or a replay. */
  readonly appended: number;
};

/**
 * Folds one stored event into a state. An event type that the aggregate does not know is skipped, or, where
 * money or uniqueness is decided, stops with `UnreadableEvent`: a newer version wrote it.
 */
export function evolve<State>(decider: Foldable<State>, state: State, stored: StoredEvent): State {
  const recorded = decodeEvent(decider.vocabulary, stored);
  if (recorded === null) {
    if (decider.strict !== true) return state;
    throw new UnreadableEvent(stored, 'this version does not know the type; a newer version wrote it');
  }
  const fold = Object.hasOwn(decider.on, stored.type) ? decider.on[stored.type] : undefined;
  // The vocabulary and the folds agree by type; which one it is, only the event says.
  return fold === undefined ? state : fold(state, recorded as Recorded<never>);
}

/** What folding needs of an aggregate, whatever its events are. */
export type Foldable<State> = {
  readonly vocabulary: Vocabulary;
  readonly on: { readonly [type: string]: Evolve<State, never> | undefined };
  readonly strict?: boolean;
};
