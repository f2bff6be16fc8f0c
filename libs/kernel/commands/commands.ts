import { randomUUID } from 'node:crypto';
import type { Clock } from '../ports/clock.js';
import type { CommandContext, Decider, Decision, Foldable, Handled } from './decider.js';
import { evolve, streamName } from './decider.js';
import type { EventOf, PayloadsOf, Vocabulary } from '../events/event.js';
import { StoreUnavailable, type EventStore } from '../ports/event-store.port.js';
import type { ReadModelProgress } from '../ports/progress.port.js';
import type { Recall } from '../ports/recall.port.js';
import { type RetryPolicy } from './retry.js';
import type { SnapshotStore } from '../ports/snapshot-store.port.js';
import { StreamQueue } from './stream-queue.js';

/** What the caller learns from a decision: computed on the state right after it, with the events it made. */
export type Answer<State, V extends Vocabulary, Result> = (
  state: State,
  events: readonly EventOf<PayloadsOf<V>>[],
) => Result;

export type HandleOptions<State, V extends Vocabulary, Result> = {
  readonly context: CommandContext;
  readonly answer: Answer<State, V, Result>;
  /** False for steps of a process, which wait once at their end. */
  readonly waitForReadModels?: boolean;
};

/** The one way to change anything: read the stream, decide, append at the expected revision, wait, answer. */
export interface Commands {
  /**
   * Decides on the newest state of one stream and appends what was decided. Concurrent decisions on a stream
   * are made one after another in memory and written as one append; nothing is answered before it is durable.
   * Throws the decision's `Refusal` (nothing written), `StoreUnavailable` when the outcome cannot be had in
   * bounded tries: sending the same command again is then safe.
   */
  handle<State, V extends Vocabulary, Result>(
    decider: Decider<State, V>,
    id: string,
    decision: Decision<State, V>,
    options: HandleOptions<State, V, Result>,
  ): Promise<Handled<Result>>;
  /**
   * What `handle` would answer if an earlier attempt at this command has carried it out, else null. For what is
   * checked outside of the decision: a repetition must not be refused for what its own first attempt changed.
   */
  alreadyDone<State, V extends Vocabulary, Result>(
    decider: Decider<State, V>,
    id: string,
    options: HandleOptions<State, V, Result>,
  ): Promise<{ readonly answer: Result } | null>;
  /**
   * The state of one stream as it is now, read up to its end. It is the live one: read what is needed of it
   * before awaiting anything else.
   */
  load<State, V extends Vocabulary>(decider: Decider<State, V>, id: string): Promise<State>;
  /**
   * The state of one stream right after the event at this revision, the caller's own: folded from the start, so
   * it costs what the stream is long. What was begun with a revision can go on with it for ever.
   * Throws `StoreUnavailable` while this store has not seen that event yet.
   */
  loadAt<State, V extends Vocabulary>(
    decider: Decider<State, V>,
    id: string,
    revision: bigint,
  ): Promise<State>;
}

export type CommandsSettings = {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly progress: ReadModelProgress;
  readonly retry?: RetryPolicy;
  /** Upper bound of what the cached states may weigh together, in bytes (estimated from the events folded). */
  readonly cacheBytes?: number;
  readonly readModelsTimeoutMs?: number;
  /** Where states of long streams are kept between starts; absent: every start folds the whole stream. */
  readonly snapshots?: SnapshotStore;
  /** By category: where what a state has forgotten is looked up. */
  readonly recalls?: { readonly [category: string]: Recall };
  /** Told of a snapshot that could not be read or written: it costs time and nothing else. */
  readonly onSnapshotFailure?: (stream: string, error: unknown) => void;
  /** Told when an answer was given although the read models had not caught up in time. */
  readonly onLateReadModels?: (stream: string) => void;
};

// An adapter is patient itself: a caller must not wait for its patience ten times over.
const DEFAULT_RETRY: RetryPolicy = { tries: 10, firstDelayMs: 5, longestDelayMs: 250, patienceMs: 5_000 };
/** Whoever loses a race has lost it to somebody who got on: worth more tries than a store that is away. */
const DEFAULT_MOST_CONFLICTS = 50;
const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024;
const DEFAULT_READ_MODELS_TIMEOUT_MS = 2_000;

/** Makes the command path. One instance a process: the cached states live in it. */
export function createCommands(settings: CommandsSettings): Commands {
  const queues = new Map<string, StreamQueue>();
  const cacheBytes = settings.cacheBytes ?? DEFAULT_CACHE_BYTES;
  const timeoutMs = settings.readModelsTimeoutMs ?? DEFAULT_READ_MODELS_TIMEOUT_MS;
  let cachedBytes = 0;

  // Least recently used first: a Map keeps insertion order, and use re-inserts.
  function queueOf(decider: Decider<never>, id: string): StreamQueue {
    const stream = streamName(decider, id);
    const known = queues.get(stream);
    const queue =
      known ??
      new StreamQueue(stream, decider, {
        eventStore: settings.eventStore,
        clock: settings.clock,
        retry: settings.retry ?? DEFAULT_RETRY,
        mostConflicts: settings.retry?.tries ?? DEFAULT_MOST_CONFLICTS,
        snapshots: settings.snapshots ?? null,
        recall: settings.recalls?.[decider.category] ?? null,
        onSnapshotFailure: settings.onSnapshotFailure ?? ((): void => undefined),
        onWeight: (difference) => {
          cachedBytes += difference;
        },
      });
    if (known !== undefined) queues.delete(stream);
    queues.set(stream, queue);
    return queue;
  }

  function evict(): void {
    for (const [stream, queue] of queues) {
      if (cachedBytes <= cacheBytes) return;
      if (queue.idle && queue.discard()) queues.delete(stream);
    }
  }

  async function submitted<Result>(settling: Promise<Result>): Promise<Result> {
    try {
      return await settling;
    } finally {
      evict();
    }
  }

  const commands: Commands = {
    async handle<State, V extends Vocabulary, Result>(
      decider: Decider<State, V>,
      id: string,
      decision: Decision<State, V>,
      options: HandleOptions<State, V, Result>,
    ): Promise<Handled<Result>> {
      const queue = queueOf(decider as unknown as Decider<never>, id);
      const { types, ...handled } = await submitted(
        queue.submit<State, V, Result>(decision, options.answer, options.context),
      );
      if (options.waitForReadModels !== false && handled.position !== null) {
        const { workspaceId } = options.context;
        const reached = settings.progress.reached(
          { position: handled.position, types, workspaceId },
          timeoutMs,
        );
        // A done write is never turned into an error: late read models are counted, not refused.
        if (!(await reached.catch(() => false))) settings.onLateReadModels?.(queue.stream);
      }
      return handled;
    },

    async alreadyDone<State, V extends Vocabulary, Result>(
      decider: Decider<State, V>,
      id: string,
      options: HandleOptions<State, V, Result>,
    ): Promise<{ readonly answer: Result } | null> {
      if (options.context.mayBeDoneSince === undefined) return null;
      const { answer } = await commands.handle<State, V, { readonly answer: Result } | null>(
        decider,
        id,
        () => [],
        {
          ...options,
          answer: (state, events) => (events.length === 0 ? null : { answer: options.answer(state, events) }),
        },
      );
      return answer;
    },

    async load<State, V extends Vocabulary>(decider: Decider<State, V>, id: string): Promise<State> {
      const queue = queueOf(decider as unknown as Decider<never>, id);
      const context: CommandContext = {
        commandId: randomUUID(),
        actor: { kind: 'system', id: 'load' },
        workspaceId: null,
        correlationId: '',
      };
      const settled = await submitted(
        queue.submit<State, V, State>(
          () => [],
          (state) => state,
          context,
        ),
      );
      return settled.answer;
    },

    loadAt: (decider, id, revision) => stateAt(settings.eventStore, decider, id, revision),
  };
  return commands;
}

async function stateAt<State, V extends Vocabulary>(
  eventStore: EventStore,
  decider: Decider<State, V>,
  id: string,
  revision: bigint,
): Promise<State> {
  const stream = streamName(decider, id);
  const foldable = decider as unknown as Foldable<State>;
  let state = decider.initial();
  for await (const batch of eventStore.readStream(stream)) {
    for (const event of batch) {
      state = evolve(foldable, state, event);
      if (event.revision === revision) return state;
    }
    // The loop belongs to others between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new StoreUnavailable(`${stream} does not reach revision ${revision} here yet`);
}
