import type { Clock } from '../ports/clock.js';
import { START, StoreUnavailable, type Position } from '../ports/event-store.port.js';
import type { Recall } from '../ports/recall.port.js';
import type { Vocabulary } from '../events/event.js';
import type { Pending, Settled } from './answering.js';
import { streamName, type Answer, type CommandContext, type Decider, type TimedDecision } from './decider.js';
import { Doubts } from './doubts.js';
import type { LoopTurn } from './loop-turn.js';
import type { RetryPolicy } from './retry.js';
import { Rivals } from './rivals.js';
import { ownerOf } from './scope.js';
import { settleGroup } from './settle-group.js';
import type { SettlingStream } from './settling.js';
import { StreamMemory, type AnyDecider, type MemoryEnvironment } from './stream-memory.js';

type Environment = MemoryEnvironment & {
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  readonly mostConflicts: number;
  readonly recall: Recall | null;
  readonly turn: LoopTurn;
};

/** What the queue of a stream weighs by itself: streams that hold nothing must not pile up either. */
const BYTES_PER_STREAM = 1_024;

/**
 * The queue and the cached state of one stream in this process. Decisions run one after another on the state
 * in memory; what they decide is appended as one write; answers leave only when that write is durable, or,
 * for a refusal and a no-op, when it is proven that nobody else wrote meanwhile.
 */
export class StreamQueue {
  readonly stream: string;
  /** For whoever decides which streams are forgotten. */
  wasUsedAgain = false;
  private waiting: Pending[] = [];
  private running = false;
  private isDistrusted = false;
  /** Stops up to here are followed by `CommandsSettings.onStop`. */
  private fencedUpTo: Position = START;
  private readonly settling: SettlingStream;

  constructor(
    erased: Decider<never>,
    id: string,
    private readonly environment: Environment,
  ) {
    const decider = erased as unknown as AnyDecider;
    const { eventStore, clock, retry, mostConflicts, recall, turn } = environment;
    this.stream = streamName(decider, id);
    this.settling = {
      stream: this.stream,
      owner: ownerOf(decider, id),
      decider,
      memory: new StreamMemory(this.stream, decider, environment),
      clock,
      doubts: new Doubts(),
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

  submit<State, V extends Vocabulary, Result>(
    decision: TimedDecision<State, V>,
    answer: Answer<State, V, Result>,
    context: CommandContext,
    recordsDue = false,
  ): Promise<Settled<Result>> {
    return this.queued({ decision, answer, context, recordsDue });
  }

  /** The state as it is now. Commands beside it that cannot be written do not refuse it. */
  read<State, Result>(
    answer: Answer<State, never, Result>,
    context: CommandContext,
  ): Promise<Settled<Result>> {
    return this.queued({ decision: () => [], answer, context, isRead: true });
  }

  /**
   * Gives back what an idle queue weighs. True when nothing is left of it and it can be taken out of the cache;
   * while there are commands of unknown outcome, it stays to know them when they are sent again.
   */
  discard(): boolean {
    this.settling.memory.forget();
    if (this.settling.doubts.size > 0) return false;
    this.environment.onWeight(-BYTES_PER_STREAM);
    return true;
  }

  /**
   * Where the last stop of this stream stands and whose it is, as far as nothing says that `CommandsSettings.onStop` has
   * followed it: another process, or an earlier attempt, may have ended in between. Null where nothing is open.
   */
  openStop(): { readonly workspaceId: number; readonly stoppedAt: Position } | null {
    const { owner, memory } = this.settling;
    const { stoppedAt } = memory;
    if (typeof owner !== 'number' || stoppedAt === null || stoppedAt <= this.fencedUpTo) return null;
    return { workspaceId: owner, stoppedAt };
  }

  /** Stops of this stream up to this position are followed by `CommandsSettings.onStop`. */
  fenced(upTo: Position): void {
    if (upTo > this.fencedUpTo) this.fencedUpTo = upTo;
  }

  /** Before the next group is decided, everything that is remembered is dropped: the log may be another one. */
  distrust(): void {
    this.isDistrusted = true;
  }

  private queued<Result>(asked: object): Promise<Settled<Result>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...asked, resolve, reject } as unknown as Pending);
      if (this.running) return;
      this.running = true;
      void this.run();
    });
  }

  private async run(): Promise<void> {
    const { memory } = this.settling;
    while (this.waiting.length > 0) {
      // Everything that arrives together is decided and written together, and so is what those who were just answered
      // send next.
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
      // What is durable stays remembered; what cannot be told from speculation is dropped.
      if (!(error instanceof StoreUnavailable) || memory.speculating) memory.forget();
      const reads = new Set([...open].filter(({ isRead }) => isRead));
      const isWriteAway = error instanceof StoreUnavailable && reads.size < open.size;
      for (const pending of open) if (!isWriteAway || !pending.isRead) pending.reject(error);
      // A store that cannot be written may still be read.
      if (isWriteAway && reads.size > 0) await this.settle(reads);
    }
  }
}
