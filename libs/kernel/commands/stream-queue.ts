import type { Clock } from '../ports/clock.js';
import {
  START,
  StoreUnavailable,
  type Position,
  type StoredEvent,
  type StreamEnd,
} from '../ports/event-store.port.js';
import type { Vocabulary } from '../events/event.js';
import type { Pending, Settled } from './answering.js';
import {
  streamName,
  type DecisionAnswer,
  type CommandContext,
  type Decider,
  type TimedDecision,
} from './decider.js';
import { Doubts } from './doubts.js';
import { Rivals } from './rivals.js';
import { ownerOf } from './scope.js';
import { settleGroup } from './settle-group.js';
import type { SettlingStream } from './settling.js';
import { StreamMemory, type AnyDecider, type MemoryEnvironment } from './stream-memory.js';
import { requirePlain, type Live, type Read } from './turn.js';

type Environment = MemoryEnvironment &
  Pick<SettlingStream, 'retry' | 'mostConflicts' | 'recall' | 'turn'> & {
    readonly clock: Clock;
    /** Real time in milliseconds; tests replace it. */
    readonly nowMs?: () => number;
  };

/** A command for the queue. The types of its decision and answer belong to the stream and are erased here. */
type Asked = {
  readonly decision: unknown;
  readonly answer: unknown;
  readonly context: CommandContext;
  readonly recordsDue: boolean;
  readonly isRead: boolean;
};

/** The size of an empty queue: many streams without state must not grow without bound either. */
const BYTES_PER_STREAM = 1_024;

/**
 * The queue and the cached state of one stream in this process. Decisions run one after another on the state in
 * memory, and their events are one append. A command is answered when that append is durable; a refusal or no-op when
 * it is proven that no other process wrote meanwhile.
 */
export class StreamQueue {
  readonly stream: string;
  private waiting: Pending[] = [];
  private running = false;
  private isDistrusted = false;
  /** `CommandsSettings.onStop` was called for stops up to this position. */
  private fencedUpTo: Position = START;
  private readonly settling: SettlingStream;

  constructor(
    erased: Decider<never>,
    id: string,
    private readonly environment: Environment,
  ) {
    const decider = erased as unknown as AnyDecider;
    const { eventStore, clock, retry, mostConflicts, recall, turn, nowMs } = environment;
    this.stream = streamName(decider, id);
    this.settling = {
      stream: this.stream,
      owner: ownerOf(decider, id),
      decider,
      memory: new StreamMemory(this.stream, decider, environment),
      clock,
      doubts: new Doubts(nowMs),
      rivals: new Rivals(),
      eventStore,
      retry,
      mostConflicts,
      recall,
      turn,
    };
    environment.onWeight(BYTES_PER_STREAM);
  }

  get idle(): boolean {
    return !this.running && this.waiting.length === 0;
  }

  /** True if this process knows nothing of the stream. */
  get isUnknown(): boolean {
    return !this.settling.memory.loaded;
  }

  /** True if this process has found that the stream has no events. */
  get isWithoutEvents(): boolean {
    return this.settling.memory.endsAt(null);
  }

  /**
   * The result of a read of the state of a stream that ends here: in memory, or after all its events if nothing is known of it. Null
   * if the stream must be read, or if something is in progress.
   */
  answerAt<State, Result>(
    read: Read<State, Result>,
    end: StreamEnd | null,
    events: readonly StoredEvent[] | undefined,
  ): { readonly answer: Result } | null {
    const { memory } = this.settling;
    if (!this.idle || this.isDistrusted) return null;
    if (this.isUnknown && events !== undefined) memory.beginWith(events);
    else if (!memory.endsAt(end)) return null;
    const { state } = memory;
    return { answer: requirePlain(read(state as Live<State>), state) as Result };
  }

  submit<State, V extends Vocabulary, Result>(
    decision: TimedDecision<State, V>,
    answer: DecisionAnswer<State, V, Result>,
    context: CommandContext,
    recordsDue = false,
  ): Promise<Settled<Result>> {
    return this.queued({ decision, answer, context, recordsDue, isRead: false });
  }

  /** The current state. Concurrent commands that cannot be written do not affect the read. */
  read<State, Result>(
    answer: DecisionAnswer<State, never, Result>,
    context: CommandContext,
  ): Promise<Settled<Result>> {
    return this.queued({ decision: () => [], answer, context, recordsDue: false, isRead: true });
  }

  /**
   * Frees the memory of an idle queue. True if nothing is left and the queue can be removed from the cache. A queue
   * with commands of unknown outcome stays for some minutes, to recognise them when they are sent again.
   */
  discard(): boolean {
    this.settling.memory.forget();
    if (this.settling.doubts.areLeft()) return false;
    this.environment.onWeight(-BYTES_PER_STREAM);
    return true;
  }

  /**
   * The position and owner of the last stop of this stream, if it is not known that `CommandsSettings.onStop` was
   * called for it: another process, or an earlier attempt, may have ended in between. Null if there is none.
   */
  openStop(): { readonly workspaceId: number; readonly stoppedAt: Position } | null {
    const { owner, memory } = this.settling;
    const { stoppedAt } = memory;
    if (typeof owner !== 'number' || stoppedAt === null || stoppedAt <= this.fencedUpTo) return null;
    return { workspaceId: owner, stoppedAt };
  }

  /** Notes that `CommandsSettings.onStop` was called for stops of this stream up to this position. */
  fenced(upTo: Position): void {
    if (upTo > this.fencedUpTo) this.fencedUpTo = upTo;
  }

  /** Drops the memory before the next group is decided: the log may be another one. */
  distrust(): void {
    this.isDistrusted = true;
  }

  private queued<Result>({ decision, answer, context, recordsDue, isRead }: Asked): Promise<Settled<Result>> {
    return new Promise((resolve, reject) => {
      // Member by member. Measured alternately: 0.01 us; a spread of shapes that differ takes 1.5 us.
      const pending = { decision, answer, context, recordsDue, isRead, resolve, reject };
      this.waiting.push(pending as unknown as Pending);
      if (this.running) return;
      this.running = true;
      void this.run();
    });
  }

  private async run(): Promise<void> {
    const { memory } = this.settling;
    while (this.waiting.length > 0) {
      // Commands that arrive together are decided and written together, and so are the next commands of the callers
      // just answered.
      await this.environment.turn.toDecide();
      if (this.isDistrusted) {
        memory.forget();
        this.fencedUpTo = START;
      }
      this.isDistrusted = false;
      const open = new Set(this.waiting);
      this.waiting = [];
      await this.settle(open);
    }
    this.running = false;
  }

  private async settle(open: Set<Pending>): Promise<void> {
    const { memory } = this.settling;
    try {
      await settleGroup(this.settling, open);
    } catch (error) {
      // Durable facts stay in memory; facts that cannot be told from speculation are dropped.
      if (!(error instanceof StoreUnavailable) || memory.speculating) memory.forget();
      const reads = new Set([...open].filter(({ isRead }) => isRead));
      const isWriteAway = error instanceof StoreUnavailable && reads.size < open.size;
      for (const pending of open) if (!isWriteAway || !pending.isRead) pending.reject(error);
      // A store that cannot be written may still be read.
      if (isWriteAway && reads.size > 0) await this.settle(reads);
    }
  }
}
