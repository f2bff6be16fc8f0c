import type { Clock } from '../ports/clock.js';
import { appendPatiently } from './append-patiently.js';
import { decideRound, type Asked, type DecidedStream, type Outcome } from './decide-round.js';
import type { CommandContext, Decider, Decision, Handled } from './decider.js';
import type { EventOf, PayloadsOf, Vocabulary } from '../events/event.js';
import { decodeEvent } from '../events/event-codec.js';
import {
  StoreUnavailable,
  WrongExpectedRevision,
  type Appended,
  type StoredEvent,
} from '../ports/event-store.port.js';
import { Forgotten, type Recall, type Recalled } from '../ports/recall.port.js';
import { backoffMs, pause, type RetryPolicy } from './retry.js';
import { StreamMemory, type AnyDecider, type MemoryEnvironment, type OwnEvents } from './stream-memory.js';

/** A decision that waits for its turn, and whom to tell. */
type Pending = Asked & {
  readonly resolve: (settled: Settled<unknown>) => void;
  readonly reject: (error: unknown) => void;
};

/** A handled command with the event types that a reader of its effects has to wait for. */
export type Settled<Answer> = Handled<Answer> & { readonly types: readonly string[] };

type Environment = MemoryEnvironment & {
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  /** Races for the end of the stream that one group may lose before it gives up. */
  readonly mostConflicts: number;
  /** null where nothing can be looked up: what a state has forgotten is then read from its whole stream. */
  readonly recall: Recall | null;
};

/** What the queue of a stream weighs by itself: streams that hold nothing must not pile up either. */
const BYTES_PER_STREAM = 1_024;
/** Groups that look at the tail first, after another process was seen to write to the stream. */
const WARY_GROUPS = 100;
/** Most commands of unknown outcome that are remembered. */
const MAX_DOUBTFUL = 1_000;
/** Losers of a race make no long pauses, or they would lose for ever to those who never wait. */
const LONGEST_BACKOFF = 2;
/** Look-ups that did not settle what was asked, before the stream is read as a whole. */
const MAX_RECALLS = 3;

/**
 * The queue and the cached state of one stream in this process. Decisions run one after another on the state
 * in memory; what they decide is appended as one write; answers leave only when that write is durable, or,
 * for a refusal and a no-op, when it is proven that nobody else wrote meanwhile.
 */
export class StreamQueue {
  private waiting: Pending[] = [];
  private running = false;
  private waryFor = 0;
  /** Commands whose append may have happened, with the revision after which it would stand. */
  private readonly doubtful = new Map<string, bigint>();
  private readonly decider: AnyDecider;
  private readonly memory: StreamMemory;
  private readonly decided: DecidedStream;

  constructor(
    readonly stream: string,
    decider: Decider<never>,
    private readonly environment: Environment,
  ) {
    this.decider = decider as unknown as AnyDecider;
    this.memory = new StreamMemory(stream, this.decider, environment);
    this.decided = { stream, decider: this.decider, memory: this.memory, clock: environment.clock };
    environment.onWeight(BYTES_PER_STREAM);
  }

  get idle(): boolean {
    return !this.running && this.waiting.length === 0;
  }

  submit<State, V extends Vocabulary, Result>(
    decision: Decision<State, V>,
    answer: (state: State, events: readonly EventOf<PayloadsOf<V>>[]) => Result,
    context: CommandContext,
  ): Promise<Settled<Result>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ decision, answer, context, resolve, reject } as unknown as Pending);
      if (this.running) return;
      this.running = true;
      // A loop turn later, so that everything that arrives together is decided and written together.
      setImmediate(() => void this.run());
    });
  }

  /**
   * Gives back what an idle queue weighs. True when nothing is left of it and it can be taken out of the cache;
   * while there are commands of unknown outcome, it stays to know them when they are sent again.
   */
  discard(): boolean {
    this.memory.forget();
    if (this.doubtful.size > 0) return false;
    this.environment.onWeight(-BYTES_PER_STREAM);
    return true;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      const open = new Set(group);
      try {
        await this.settle(open);
      } catch (error) {
        // What is durable stays remembered; what cannot be told from speculation is dropped.
        if (!(error instanceof StoreUnavailable) || this.memory.speculating) this.memory.forget();
        for (const pending of open) pending.reject(error);
      }
      // Whoever was answered looks at the state before the next group changes it in place.
      if (this.waiting.length > 0) await nextTurn();
    }
    this.running = false;
  }

  /** Answers every decision of the group, or throws with the unanswered ones still in the set. */
  private async settle(open: Set<Pending>): Promise<void> {
    const { memory } = this;
    const { eventStore, retry, mostConflicts } = this.environment;
    // True once the store was read or written after the whole group had come: then a refusal is final.
    let proven = await this.lookAhead(open);
    let conflicts = 0;
    let recalls = 0;
    let most = Infinity;
    while (open.size > 0) {
      if (!memory.loaded) {
        await memory.readTail();
        proven = true;
      }
      const back = memory.mark();
      const round = decideRound(this.decided, open, most);
      most = Infinity;
      if (round.kind === 'asking') {
        if (memory.speculating) back();
        recalls += 1;
        await this.recall(round.questions, open, recalls);
        continue;
      }
      if (round.kind === 'spoiled') {
        // Half of it may be in the state. Those before it are written first, so that it is judged on facts.
        back();
        if (round.before > 0) most = round.before;
        else if (proven) {
          open.delete(round.by);
          round.by.reject(round.error);
        } else {
          await this.refresh(open);
          proven = true;
        }
        continue;
      }
      const { outcomes, events } = round;
      if (events.length === 0) {
        // Refusals and no-ops from a cached state are final only when nobody has written since.
        const moved = !proven && (await this.refresh(open));
        proven = true;
        if (!moved) {
          this.answer(outcomes, open, null);
          memory.keepSnapshot();
        }
        continue;
      }
      const expected = memory.revision - BigInt(events.length);
      try {
        const appended = await appendPatiently(eventStore, this.stream, expected, events, retry);
        memory.committed(appended.position);
        proven = true;
        this.answer(outcomes, open, appended);
        memory.keepSnapshot();
      } catch (error) {
        back();
        if (!(error instanceof WrongExpectedRevision)) {
          if (error instanceof StoreUnavailable && error.outcome === 'unknown')
            this.doubt(outcomes, expected);
          throw error;
        }
        this.waryFor = WARY_GROUPS;
        conflicts += 1;
        // The wait comes before the look: what is decided next is decided on what is there now.
        if (conflicts > 1) await pause(backoffMs(retry, Math.min(conflicts, LONGEST_BACKOFF)));
        this.answerFound(open, (await memory.readTail(ownEvents(open, expected))).events);
        proven = true;
        if (open.size > 0 && conflicts >= mostConflicts) {
          throw new StoreUnavailable(`too many writers at once on ${this.stream}`, 'nothing-written', {
            cause: error,
          });
        }
      }
      if (open.size > 0) await nextTurn();
    }
  }

  /**
   * Reads before anything is decided where that spares more than it costs: a command whose outcome was unknown
   * is looked for; a stream that others write to is brought up to date, for a conflict costs a write.
   * Tells whether the store was read.
   */
  private async lookAhead(open: Set<Pending>): Promise<boolean> {
    const { memory } = this;
    const repeated = [...open].flatMap(({ context }) => context.mayBeDoneSince ?? []);
    if (repeated.length > 0) {
      await memory.readTail();
      const since = repeated.reduce((first, time) => (time < first ? time : first));
      this.answerFound(open, await memory.findSince(ownEvents(open, -1n), since));
    }
    const doubts = [...open].flatMap(({ context }) => this.doubtful.get(context.commandId) ?? []);
    if (doubts.length > 0) {
      const after = doubts.reduce((first, doubt) => (doubt < first ? doubt : first));
      await memory.readTail();
      this.answerFound(open, await memory.find(ownEvents(open, after)));
      return true;
    }
    if (repeated.length > 0) return true;
    if (!memory.loaded || this.waryFor === 0) return false;
    this.waryFor -= 1;
    if (await this.refresh(open)) this.waryFor = WARY_GROUPS;
    return true;
  }

  /** Brings the cached state up to date; true when somebody else had written. Their repeated commands are answered. */
  private async refresh(open: Set<Pending>): Promise<boolean> {
    const { moved, events } = await this.memory.readTail(ownEvents(open, this.memory.revision));
    this.answerFound(open, events);
    return moved;
  }

  /**
   * Brings what decisions ask for into the state, where deciding again finds it. Where an index cannot tell,
   * the whole stream can; where it refuses to, the decisions that asked are refused.
   */
  private async recall(
    asking: ReadonlyMap<Pending, Forgotten>,
    open: Set<Pending>,
    recalls: number,
  ): Promise<void> {
    const { memory, environment } = this;
    const questions = [...new Set([...asking.values()].flatMap((forgotten) => forgotten.questions))];
    const upTo = [...asking.values()].reduce((last, next) => (next.upTo > last ? next.upTo : last), '');
    let recalled: Recalled | null;
    try {
      const index = recalls > MAX_RECALLS ? null : environment.recall;
      recalled = index === null ? null : await index(this.stream, questions, upTo);
      // The index may be ahead of this memory: what it says is believed only by a memory that has seen as much,
      // or a repetition would be answered with the balance from before what it repeats.
      if (recalled !== null) await this.refresh(open);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      for (const pending of asking.keys()) {
        open.delete(pending);
        pending.reject(error);
      }
      return;
    }
    if (recalled === null) await memory.readWhole();
    else if (memory.loaded) memory.recall(recalled);
  }

  private doubt(outcomes: readonly Outcome<Pending>[], expected: bigint): void {
    for (const outcome of outcomes) {
      if (outcome.kind === 'done' && outcome.types.length > 0)
        this.doubtful.set(outcome.pending.context.commandId, expected);
    }
    for (const commandId of this.doubtful.keys()) {
      if (this.doubtful.size <= MAX_DOUBTFUL) return;
      this.doubtful.delete(commandId);
    }
  }

  private answer(outcomes: readonly Outcome<Pending>[], open: Set<Pending>, appended: Appended | null): void {
    for (const outcome of outcomes) {
      open.delete(outcome.pending);
      if (outcome.kind === 'failed') outcome.pending.reject(outcome.error);
      else {
        outcome.pending.resolve({
          answer: outcome.answer,
          appended: outcome.types.length,
          revision: this.memory.revision,
          position: appended?.position ?? this.memory.position,
          types: outcome.types.length > 0 ? outcome.types : Object.keys(this.decider.vocabulary),
        });
      }
    }
  }

  /**
   * A command whose id stands in what others appended was done, by this process (the acknowledgement was lost)
   * or by another worker with the same deterministic id. It is answered from there.
   */
  private answerFound(open: Set<Pending>, found: readonly StoredEvent[]): void {
    for (const pending of open) {
      const own = found.filter((event) => event.metadata['commandId'] === pending.context.commandId);
      const last = own.at(-1);
      if (last === undefined) continue;
      this.doubtful.delete(pending.context.commandId);
      try {
        const decoded = own.map((event) => decodeEvent(this.decider.vocabulary, event) ?? event);
        pending.resolve({
          answer: pending.answer(this.memory.state, decoded),
          appended: own.length,
          revision: this.memory.revision,
          position: last.position,
          types: own.map(({ type }) => type),
        });
      } catch (error) {
        // It stays open: decided again, it asks for what it needs and finds that it was done.
        if (error instanceof Forgotten) continue;
        pending.reject(error);
      }
      open.delete(pending);
    }
  }
}

/** The events of a group's commands after a revision. */
function ownEvents(open: ReadonlySet<Pending>, after: bigint): OwnEvents {
  return { after, commandIds: new Set([...open].map(({ context }) => context.commandId)) };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
