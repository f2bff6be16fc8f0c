import type { Clock } from '../ports/clock.js';
import {
  type DecisionAnswer,
  type CommandContext,
  type Decider,
  type Foldable,
  type Handled,
  type Looked,
  type Prepared,
  type TimedDecision,
  evolve,
  streamName,
} from './decider.js';
import { loopTurn, type LoopTurn } from './loop-turn.js';
import type { Vocabulary } from '../events/event.js';
import { StoreUnavailable, type EventStore } from '../ports/event-store.port.js';
import type { ReadModelProgress } from '../ports/progress.port.js';
import type { Recall } from '../ports/recall.port.js';
import { Refusal } from '../values/refusal.js';
import { type RetryPolicy } from './retry.js';
import type { SnapshotStore } from '../ports/snapshot-store.port.js';
import { stopFence, type Stop } from './stop-fence.js';
import type { Settled } from './answering.js';
import { loadEach, readingContext, type PresumedNew, type Queues } from './load-each.js';
import { streamCache } from './stream-cache.js';
import { StreamQueue } from './stream-queue.js';
import type { Read } from './turn.js';

export type HandleOptions<State, V extends Vocabulary, Result> = {
  readonly context: CommandContext;
  /** Absent: the answer is null. */
  readonly answer?: DecisionAnswer<State, V, Result>;
  /** False for steps of a process, which wait once at their end. */
  readonly waitForReadModels?: boolean;
  /** True if due events are written even when the decision makes no event. */
  readonly recordsDue?: boolean;
};

/** The one way to change anything: read the stream, decide, append at the expected revision, wait, answer. */
export interface Commands {
  /**
   * Decides on the newest state of one stream and appends the decided events. Concurrent decisions on a stream are
   * made one after another in memory and written as one append; no command is answered before its events are durable.
   * The stream says which workspace the events belong to. Checks outside the decision are passed as `prepare`: a
   * repetition of a command that was carried out is answered before `prepare` runs, so its own effects never refuse
   * it. Throws the decision's `Refusal` (nothing written), `WrongWorkspace` if the caller acts for another workspace
   * than the stream's, and `StoreUnavailable` if the outcome is unknown after a bounded number of attempts: the
   * caller may then send the same command again.
   */
  handle<State, V extends Vocabulary, Result = null>(
    decider: Decider<State, V>,
    id: string,
    decision: TimedDecision<State, V> | Prepared<State, V>,
    options: HandleOptions<State, V, Result>,
  ): Promise<Handled<NoInfer<Result>>>;
  /**
   * Returns the result of `read` on the current state of one stream, read up to its end. `read` runs synchronously
   * and returns plain data, because the state itself changes later. Rejects with the error that `read` throws.
   */
  load<State, V extends Vocabulary, Result>(
    decider: Decider<State, V>,
    id: string,
    read: Read<State, Result>,
  ): Promise<Result>;
  /**
   * As `load` for several streams, in their order. One read of the event store, if it can, proves which states in memory are
   * current and which streams have no events; another one reads short streams that are not in memory. Only the others are read one
   * by one. A command that creates a stream next needs no read.
   *
   * Streams that are presumed to be new are not read one by one: without a cheap proof they count as streams without events.
   * Name only streams to which the caller appends next: the append finds their events, if there are any, and decides again.
   */
  loadEach<State, V extends Vocabulary, Result>(
    decider: Decider<State, V>,
    ids: readonly string[],
    read: Read<State, Result>,
    presumed?: PresumedNew,
  ): Promise<readonly Result[]>;
  /**
   * As `load`, with the revision of the stream. A stop without its fence is fenced first, as by a command. With
   * `waitForReadModels` the answer is sent when the read models have applied the whole stream, and is `late` if they do
   * not in time.
   */
  look<State, V extends Vocabulary, Result>(
    decider: Decider<State, V>,
    id: string,
    read: Read<State, Result>,
    options?: { readonly waitForReadModels?: boolean },
  ): Promise<Looked<Result>>;
  /**
   * The state of one stream right after the event at this revision, as a copy for the caller. Folded from the start,
   * so the cost grows with the stream. Work that began at a revision can continue with that state for ever. Throws
   * `StoreUnavailable` while this store does not contain that event yet.
   */
  loadAt<State, V extends Vocabulary>(
    decider: Decider<State, V>,
    id: string,
    revision: bigint,
  ): Promise<State>;
}

/** The command path of a process, as the host sees it. */
type CommandPath = Commands & {
  /** Drops all states in memory: the log was reset to an older one. */
  readonly forget: () => void;
};

export type CommandsSettings = {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly progress: ReadModelProgress;
  /** The turn that the event store shares; absent: the commands have their own. */
  readonly turn?: LoopTurn;
  readonly retry?: RetryPolicy;
  /** Upper bound of the size of all cached states, in bytes (estimated from the folded events). */
  readonly cacheBytes?: number;
  /** Stores snapshots of long streams between starts; absent: every start folds the whole stream. */
  readonly snapshots?: SnapshotStore;
  /** By category: where facts that a state has forgotten are looked up. */
  readonly recalls?: { readonly [category: string]: Recall };
  /** Called when a snapshot could not be read or written. Such a failure costs time only. */
  readonly onSnapshotFailure?: (stream: string, error: unknown) => void;
  /** Called when a command was answered although the read models had not caught up in time. */
  readonly onLateReadModels?: (stream: string) => void;
  /**
   * Called after a command whose events end something that is charged for (`Decider.stops`), before the command is
   * answered. Also called if the command was carried out before, and if a command that changes nothing or is refused
   * finds a stop for which this call is not known to have happened. If this function rejects, the command rejects.
   */
  readonly onStop?: (stop: Stop) => Promise<void>;
  /** Called with every error with which a command is rejected. */
  readonly onRejected?: (error: unknown) => void;
};

// The adapter has its own retries: a caller must not wait for ten times their duration.
const DEFAULT_RETRY: RetryPolicy = { tries: 10, firstDelayMs: 5, longestDelayMs: 250, patienceMs: 5_000 };
/**
 * A revision conflict means that another writer made progress, so conflicts get more retries than an unavailable
 * store.
 */
const DEFAULT_MOST_CONFLICTS = 50;
/** Measured alternately: to load a ledger of 501 entries takes 0.05 ms with its state cached, 2.5 ms without. */
const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024;
const READ_MODELS_TIMEOUT_MS = 2_000;
/** `null as never`: without an answer, the type of the result is null. */
const noAnswer = (): never => null as never;

/** Creates the command path. One instance per process, because it holds the cached states. */
export function createCommands(settings: CommandsSettings): CommandPath {
  const cache = streamCache<StreamQueue>(settings.cacheBytes ?? DEFAULT_CACHE_BYTES);
  const turn = settings.turn ?? loopTurn();
  const fence = stopFence(settings.onStop);

  function queueOf(decider: Decider<never>, id: string): StreamQueue {
    const stream = streamName(decider, id);
    return cache.use(stream) ?? cache.add(stream, (weigh) => newQueue(decider, id, weigh));
  }

  function newQueue(
    decider: Decider<never>,
    id: string,
    onWeight: (difference: number) => void,
  ): StreamQueue {
    return new StreamQueue(decider, id, {
      eventStore: settings.eventStore,
      clock: settings.clock,
      retry: settings.retry ?? DEFAULT_RETRY,
      mostConflicts: settings.retry?.tries ?? DEFAULT_MOST_CONFLICTS,
      snapshots: settings.snapshots ?? null,
      recall: settings.recalls?.[decider.category] ?? null,
      turn,
      onSnapshotFailure: settings.onSnapshotFailure ?? ((): void => undefined),
      onWeight,
    });
  }

  async function submitted<Result>(settling: Promise<Result>): Promise<Result> {
    try {
      return await settling;
    } finally {
      cache.evict();
    }
  }

  async function decide<State, V extends Vocabulary, Result>(
    decider: Decider<State, V>,
    id: string,
    decision: TimedDecision<State, V>,
    { context, answer = noAnswer, waitForReadModels = true, recordsDue }: HandleOptions<State, V, Result>,
  ): Promise<Handled<Result>> {
    const queue = queueOf(decider as unknown as Decider<never>, id);
    let isStop = false;
    const answered: DecisionAnswer<State, V, Result> = (state, events) => {
      isStop = events.length > 0 && decider.stops?.(state as State, events) === true;
      return answer(state, events);
    };
    const submitting = submitted(queue.submit<State, V, Result>(decision, answered, context, recordsDue));
    const settled = await submitting.catch(async (error: unknown) => {
      if (error instanceof Refusal) await fence.found(queue);
      throw error;
    });
    if (isStop) await fence.made(queue, settled, context);
    else if (settled.appended === 0) await fence.found(queue);
    return { ...(await shown(settings, queue, settled, waitForReadModels)), appended: settled.appended };
  }

  /** The result of an earlier attempt at a command; null if there was none. A decision without events finds it. */
  async function earlier<State, V extends Vocabulary, Result>(
    decider: Decider<State, V>,
    id: string,
    options: HandleOptions<State, V, Result>,
  ): Promise<Handled<Result> | null> {
    const { mayBeDoneSince, mayBeDoneAfter } = options.context;
    if (mayBeDoneSince === undefined && mayBeDoneAfter === undefined) return null;
    const found = await decide<State, V, Result>(decider, id, () => [], {
      ...options,
      // The state does not result from this command, so there is no answer.
      answer: (...of) => (of[1].length === 0 ? noAnswer() : (options.answer ?? noAnswer)(...of)),
    });
    return found.appended === 0 ? null : found;
  }

  return {
    async handle(decider, id, decision, options) {
      try {
        if (typeof decision === 'function') return await decide(decider, id, decision, options);
        const found = await earlier(decider, id, options);
        if (found !== null) return found;
        const look = { context: options.context, waitForReadModels: false };
        const prepared = await prepare(decision, async () => {
          if (decider.stops !== undefined) await decide(decider, id, () => [], look);
        });
        return await decide(decider, id, prepared, options);
      } catch (error) {
        settings.onRejected?.(error);
        throw error;
      }
    },

    async load<State, V extends Vocabulary, Result>(
      decider: Decider<State, V>,
      id: string,
      read: Read<State, Result>,
    ): Promise<Result> {
      const queue = queueOf(decider as unknown as Decider<never>, id);
      const { answer } = await submitted(queue.read<State, Result>(read, readingContext()));
      return answer;
    },

    loadEach(decider, ids, read, presumed) {
      const queues: Queues = {
        streamOf: (id) => streamName(decider, id),
        queueOf: (id) => queueOf(decider as unknown as Decider<never>, id),
        isUnknown: (stream) => cache.use(stream)?.isUnknown !== false,
      };
      return submitted(loadEach(settings.eventStore, queues, { ids, read, presumed }));
    },

    async look<State, V extends Vocabulary, Result>(
      decider: Decider<State, V>,
      id: string,
      read: Read<State, Result>,
      { waitForReadModels = false }: { readonly waitForReadModels?: boolean } = {},
    ): Promise<Looked<Result>> {
      const queue = queueOf(decider as unknown as Decider<never>, id);
      const settled = await submitted(queue.read<State, Result>(read, readingContext()));
      await fence.found(queue);
      return shown(settings, queue, settled, waitForReadModels);
    },

    forget: () => cache.forget((queue) => queue.distrust()),

    loadAt: (decider, id, revision) => stateAt(settings.eventStore, decider, id, revision),
  };
}

/** The settled result, after the read models show it if the caller waits for them. */
async function shown<Result>(
  { progress, onLateReadModels }: CommandsSettings,
  { stream }: StreamQueue,
  { answer, revision, position, types, workspaceId }: Settled<Result>,
  waitForReadModels: boolean,
): Promise<Looked<Result>> {
  const looked = { answer, revision, position };
  if (!waitForReadModels || position === null) return looked;
  const reached = progress.reached({ position, types, workspaceId }, READ_MODELS_TIMEOUT_MS);
  // A completed write never becomes an error: late read models are counted, not refused.
  if (await reached.catch(() => false)) return looked;
  onLateReadModels?.(stream);
  return { ...looked, late: true };
}

/** Returns the prepared decision. If `prepare` refuses, the stream is checked first: `StopFence.found` says why. */
async function prepare<State, V extends Vocabulary>(
  decision: Prepared<State, V>,
  look: () => Promise<unknown>,
): Promise<TimedDecision<State, V>> {
  try {
    return await decision.prepare();
  } catch (error) {
    if (error instanceof Refusal) await look();
    throw error;
  }
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
    // Other work gets the event loop between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new StoreUnavailable(`${stream} does not reach revision ${revision} here yet`);
}
