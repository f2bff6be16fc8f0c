import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.js';
import {
  evolve,
  type CommandContext,
  type Decider,
  type Decision,
  type Foldable,
  type Handled,
} from './decider.js';
import type { EventOf, PayloadsOf, Vocabulary } from './event.js';
import { decodeEvent, encodeEvent } from './event-codec.js';
import {
  AppendTooLarge,
  MAX_APPEND_BYTES,
  StoreUnavailable,
  WrongExpectedRevision,
  type Appended,
  type EventMetadata,
  type EventStore,
  type NewEvent,
  type Position,
  type StoredEvent,
} from './event-store.port.js';
import type { JsonObject } from './json.js';
import { backoffMs, pause, type RetryPolicy } from './retry.js';

type AnyEvent = { readonly type: string; readonly data: JsonObject };
type AnyDecider = Foldable<unknown> & {
  readonly initial: () => unknown;
  readonly seal?: Decider<unknown>['seal'];
};

/** A decision that waits for its turn, and what to tell its caller. */
type Pending = {
  readonly decision: (state: unknown) => readonly AnyEvent[];
  readonly answer: (state: unknown, events: readonly AnyEvent[]) => unknown;
  readonly context: CommandContext;
  readonly resolve: (handled: Handled<unknown>) => void;
  readonly reject: (error: unknown) => void;
};

/** What a decision came to, not yet answered: its events may not be durable yet. */
type Outcome =
  | {
      readonly pending: Pending;
      readonly kind: 'done';
      readonly answer: unknown;
      readonly lastIndex: number;
      readonly appended: number;
    }
  | { readonly pending: Pending; readonly kind: 'failed'; readonly error: unknown };

type Environment = {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  readonly onWeight: (difference: number) => void;
};

const MAX_BATCH_EVENTS = 1_000;
/** What an event adds to a cached state, about: bounds the cache without walking the states. */
const BYTES_PER_EVENT = 256;

/**
 * The queue and the cached state of one stream in this process. Decisions run one after another on the state
 * in memory; what they decide is appended as one write; answers leave only when that write is durable, or,
 * for a refusal and a no-op, when it is proven that nobody else wrote meanwhile.
 */
export class StreamQueue {
  private waiting: Pending[] = [];
  private running = false;
  private state: unknown;
  private loaded = false;
  private revision = -1n;
  private headHash = '';
  private lastRecordedAt = '';
  private weight = 0;
  private lastPosition: Position | null = null;
  private readonly decider: AnyDecider;

  constructor(
    readonly stream: string,
    decider: Decider<never>,
    private readonly environment: Environment,
  ) {
    this.decider = decider as unknown as AnyDecider;
  }

  /** Position of the last event known of this stream; null for an empty one. */
  get position(): Position | null {
    return this.lastPosition;
  }

  get idle(): boolean {
    return !this.running && this.waiting.length === 0;
  }

  submit<State, V extends Vocabulary, Result>(
    decision: Decision<State, V>,
    answer: (state: State, events: readonly EventOf<PayloadsOf<V>>[]) => Result,
    context: CommandContext,
  ): Promise<Handled<Result>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ decision, answer, context, resolve, reject } as unknown as Pending);
      if (this.running) return;
      this.running = true;
      // A loop turn later, so that everything that arrives together is decided and written together.
      setImmediate(() => void this.run());
    });
  }

  /** Drops the cached state. */
  forget(): void {
    this.environment.onWeight(-this.weight);
    this.weight = 0;
    this.loaded = false;
    this.state = undefined;
    this.revision = -1n;
    this.headHash = '';
    this.lastRecordedAt = '';
    this.lastPosition = null;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      const open = new Set(group);
      try {
        await this.settle(open);
      } catch (error) {
        // Whatever the memory holds now may be speculation: nothing of it survives a failed write.
        this.forget();
        for (const pending of open) pending.reject(error);
      }
    }
    this.running = false;
  }

  /** Answers every decision of the group, or throws with the unanswered ones still in the set. */
  private async settle(open: Set<Pending>): Promise<void> {
    let conflicts = 0;
    while (open.size > 0) {
      const fresh = !this.loaded;
      if (!this.loaded) await this.readTail();
      const { outcomes, events } = this.decide(open);
      if (events.length === 0) {
        // Refusals and no-ops from a cached state are final only when nobody has written since.
        if (fresh || !(await this.readTail()).moved) this.answer(outcomes, open, null);
        continue;
      }
      const expected = this.revision - BigInt(events.length);
      try {
        const appended = await this.append(expected, events);
        this.lastPosition = appended.position;
        this.answer(outcomes, open, appended);
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        this.forget();
        const { events: tail } = await this.readTail(expected);
        this.answerFoundInTail(open, tail);
        conflicts += 1;
        if (conflicts >= this.environment.retry.tries) {
          throw new StoreUnavailable(`too many writers at once on ${this.stream}`, 'nothing-written', {
            cause: error,
          });
        }
        await pause(backoffMs(this.environment.retry, conflicts));
      }
    }
  }

  /** Decides in order on the state in memory, folding each decision's events before the next one looks. */
  private decide(open: Set<Pending>): {
    readonly outcomes: readonly Outcome[];
    readonly events: readonly NewEvent[];
  } {
    const outcomes: Outcome[] = [];
    const events: NewEvent[] = [];
    let bytes = 0;
    for (const pending of open) {
      let decided: readonly AnyEvent[];
      let sealed: readonly NewEvent[];
      try {
        decided = pending.decision(this.state);
        sealed = this.prepare(decided, pending.context);
      } catch (error) {
        outcomes.push({ pending, kind: 'failed', error });
        continue;
      }
      const size = sealed.reduce((sum, event) => sum + sizeOf(event), 0);
      if (size > MAX_APPEND_BYTES) {
        outcomes.push({ pending, kind: 'failed', error: new AppendTooLarge(this.stream, size) });
        continue;
      }
      if (
        events.length > 0 &&
        (bytes + size > MAX_APPEND_BYTES || events.length + sealed.length > MAX_BATCH_EVENTS)
      )
        break;
      bytes += size;
      for (const event of sealed)
        this.fold({ ...event, stream: this.stream, revision: this.revision + 1n, position: '' });
      events.push(...sealed);
      outcomes.push({
        pending,
        kind: 'done',
        answer: pending.answer(this.state, decided),
        lastIndex: events.length - 1,
        appended: sealed.length,
      });
    }
    return { outcomes, events };
  }

  /** Gives decided events their ids, metadata and seals, in the order in which they will be appended. */
  private prepare(decided: readonly AnyEvent[], context: CommandContext): readonly NewEvent[] {
    const now = this.environment.clock.now().toISOString();
    // The record of a stream never goes back in time, so that "as of" is always a prefix of it.
    const metadata = metadataOf(context, now > this.lastRecordedAt ? now : this.lastRecordedAt);
    let hash = this.headHash;
    return decided.map((event, index) => {
      const encoded = encodeEvent(this.decider.vocabulary, event, randomUUID(), metadata);
      if (this.decider.seal === undefined) return encoded;
      hash = this.decider.seal(hash, { ...encoded, revision: this.revision + 1n + BigInt(index) });
      return { ...encoded, metadata: { ...encoded.metadata, hash } };
    });
  }

  private fold(event: StoredEvent): void {
    this.state = evolve(this.decider, this.state, event);
    this.revision = event.revision;
    this.headHash = event.metadata['hash'] ?? this.headHash;
    this.lastRecordedAt = event.metadata['recordedAt'] ?? this.lastRecordedAt;
    this.weight += BYTES_PER_EVENT;
    this.environment.onWeight(BYTES_PER_EVENT);
  }

  /**
   * Folds what was appended since the cached revision. `moved` tells whether that was anything; `events` are
   * those after revision `keepAfter`, so that a first load of a long stream keeps none of it.
   */
  private async readTail(
    keepAfter?: bigint,
  ): Promise<{ readonly moved: boolean; readonly events: readonly StoredEvent[] }> {
    if (!this.loaded) {
      this.forget();
      this.state = this.decider.initial();
    }
    const before = this.revision;
    const events: StoredEvent[] = [];
    for await (const batch of this.environment.eventStore.readStream(this.stream, { from: before + 1n })) {
      for (const event of batch) {
        this.fold(event);
        this.lastPosition = event.position;
        if (keepAfter !== undefined && event.revision > keepAfter) events.push(event);
      }
    }
    this.loaded = true;
    return { moved: this.revision > before, events };
  }

  /**
   * Appends, repeating the very same ids, bytes and expected revision while the outcome is unknown or the
   * store is away: with an expected revision the repetition is idempotent.
   */
  private async append(expected: bigint, events: readonly NewEvent[]): Promise<Appended> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.environment.eventStore.append(
          this.stream,
          expected < 0n ? 'no-stream' : expected,
          events,
        );
      } catch (error) {
        const last = attempt + 1 >= this.environment.retry.tries;
        if (!(error instanceof StoreUnavailable) || last) throw error;
        await pause(backoffMs(this.environment.retry, attempt));
      }
    }
  }

  private answer(outcomes: readonly Outcome[], open: Set<Pending>, appended: Appended | null): void {
    for (const outcome of outcomes) {
      open.delete(outcome.pending);
      if (outcome.kind === 'failed') outcome.pending.reject(outcome.error);
      else {
        outcome.pending.resolve({
          answer: outcome.answer,
          appended: outcome.appended,
          revision: appended === null ? this.revision : appended.revision,
          position: appended?.position ?? this.lastPosition,
        });
      }
    }
  }

  /**
   * After a wrong expected revision: a command whose id stands in the tail was done, by this process (the
   * acknowledgement was lost) or by another worker with the same deterministic id. It is answered from there.
   */
  private answerFoundInTail(open: Set<Pending>, tail: readonly StoredEvent[]): void {
    const done = new Map<string, StoredEvent[]>();
    for (const event of tail) {
      const commandId = event.metadata['commandId'] ?? '';
      done.set(commandId, [...(done.get(commandId) ?? []), event]);
    }
    for (const pending of open) {
      const events = done.get(pending.context.commandId);
      if (events === undefined) continue;
      open.delete(pending);
      const decoded = events.map((event) => decodeEvent(this.decider.vocabulary, event) ?? event);
      pending.resolve({
        answer: pending.answer(this.state, decoded),
        appended: events.length,
        revision: this.revision,
        position: events.at(-1)?.position ?? null,
      });
    }
  }
}

function metadataOf(context: CommandContext, recordedAt: string): EventMetadata {
  return {
    ...(context.workspaceId === null ? {} : { workspaceId: String(context.workspaceId) }),
    actorKind: context.actor.kind,
    actorId: context.actor.id,
    commandId: context.commandId,
    correlationId: context.correlationId,
    ...(context.causationId === undefined ? {} : { causationId: context.causationId }),
    ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    recordedAt,
  };
}

function sizeOf(event: NewEvent): number {
  return Buffer.byteLength(JSON.stringify(event.data)) + Buffer.byteLength(JSON.stringify(event.metadata));
}
