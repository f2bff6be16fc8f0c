import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { everyBeat } from '#kernel/commands/beat.js';
import { pause } from '#kernel/commands/retry.js';
import type { LeaseStore } from '#projection-engine/held-lease.js';
import { fencedCommands } from './fenced-commands.js';
import { LANES } from './lanes.js';
import {
  LEASES_EVERY_MS,
  PARTITIONS,
  partitionOf,
  partitions,
  unstaffedPartitions,
  type HeldPartition,
} from './partitions.js';
import { allDone, type AllDoneSettings } from './all-done.js';
import type { Process } from './process.js';
import { rest } from './rest.js';
import type { DueItem } from './to-do.js';
import { workInHand } from './work-in-hand.js';
import { workQueue, type WorkQueue } from './work-queue.js';

export type ProcessRunnerSettings = AllDoneSettings & {
  readonly leases: LeaseStore;
  /** Names this process among those that could hold a lease. */
  readonly holder: string;
  /** Calls back whenever one of these views has moved, whoever projects it; the function it gives ends that. */
  readonly watch: (views: readonly string[], moved: (view: string) => void) => () => void;
  readonly onError: (process: string, key: string, error: unknown) => void;
  /** Real time in milliseconds; tests bring their own. */
  readonly nowMs?: () => number;
};

/** Works off what is due, here or in another process: whoever holds the lease of an item's part acts. */
export type ProcessRunner = {
  readonly start: () => void;
  /** Looks for due work now, as after the clock was set. */
  readonly wake: () => void;
  /** Stops taking work, tells what runs to stop at its next step, and gives the leases back. */
  readonly stop: () => Promise<void>;
  /**
   * Resolves when no due work is left anywhere but what waits; counts the items that this process finished
   * meanwhile. Rejects with `StoreUnavailable` when the read models, which know what is due, stay behind, and
   * when there is work but no worker.
   */
  readonly drain: () => Promise<{ readonly processed: number }>;
};

const idOf = (process: Process, item: DueItem): string => `${process.name}:${process.key(item)}`;

const DRAIN_POLL_MS = 25;
const LONGEST_REST_MS = 2 * LEASES_EVERY_MS;

export function createProcessRunner(settings: ProcessRunnerSettings): ProcessRunner {
  const { host, processes, leases, holder, nowMs = Date.now } = settings;
  const inHand = workInHand(nowMs);
  const stopping = new AbortController();
  const parts = partitions(leases, holder);
  const resting = rest();
  let loop: Promise<void> | null = null;
  let finished = 0;
  let stopped: Promise<void> | null = null;

  const partOf = (process: Process, item: DueItem): HeldPartition | undefined =>
    parts.held().get(partitionOf(process.name, process.key(item)));

  const queues = processes.map((process) =>
    workQueue({
      host,
      process,
      idOf: (item) => idOf(process, item),
      isFree: (item) => partOf(process, item) !== undefined && inHand.isFree(idOf(process, item)),
      notFree: () => inHand.notFree(process),
      nowMs,
    }),
  );

  const hasRoom = ({ process }: WorkQueue): boolean => inHand.hasRoom(process);

  async function runItem(queue: WorkQueue, item: DueItem, id: string, part: HeldPartition): Promise<void> {
    const { process } = queue;
    const fenced = { ...host, commands: fencedCommands(host.commands, part.fence) };
    const ending = AbortSignal.any([stopping.signal, part.signal]);
    try {
      const acted = await process.act(fenced, item, ending);
      inHand.succeeded(id);
      if (acted === 'goes on') {
        queue.moved();
        return;
      }
      queue.done(id);
      finished += 1;
    } catch (error) {
      // Stopped, or the part is another worker's now: that is no failure of the item.
      if (ending.aborted) return;
      queue.againAt(inHand.failed(id));
      settings.onError(process.name, process.key(item), error);
      await process.failed?.(fenced, item, error).catch((second: unknown) => {
        settings.onError(process.name, process.key(item), second);
      });
    } finally {
      inHand.end(id);
      resting.wake();
    }
  }

  /** Starts the next item of a process, if there is one and a slot is free for its workspace. */
  function startNext(queue: WorkQueue): boolean {
    if (!hasRoom(queue)) return false;
    const { process } = queue;
    const { lane } = process;
    const slotsOf = (workspaceId: number): number => inHand.ofWorkspace(workspaceId, lane);
    const item = queue.take(slotsOf, LANES[lane].ofOneWorkspace);
    if (item === null) return false;
    const part = partOf(process, item);
    if (part === undefined || part.signal.aborted) return false;
    const id = idOf(process, item);
    const { workspaceId } = item;
    const done = runItem(queue, item, id, part);
    inHand.begin(id, { process, workspaceId, partition: part.number, done });
    return true;
  }

  /** Whoever has the fewest slots of a lane gets the next one. */
  const fewestFirst = (): readonly WorkQueue[] =>
    queues.toSorted((left, right) => inHand.ofProcess(left.process) - inHand.ofProcess(right.process));

  /** Looks where there may be something to do, and starts what is due and may run now: each process in turn. */
  async function startDue(): Promise<void> {
    inHand.forgetOld();
    await lookAtEach(() => queues.filter((queue) => hasRoom(queue) && queue.isToLook()), settings.onError);
    while (fewestFirst().some(startNext));
  }

  async function run(): Promise<void> {
    const views = [...new Set(processes.map(({ toDo }) => toDo.view.name))];
    const unwatch = settings.watch(views, (view) => {
      const concerned = queues.filter(({ process }) => process.toDo.view.name === view);
      // What is stale already has its time to be looked at: a view that moves with every hold would wake all the time.
      if (concerned.map((queue) => queue.moved()).includes(true)) resting.wake();
    });
    let isToLookAfter = true;
    const stopBeat = everyBeat(LEASES_EVERY_MS, () => {
      isToLookAfter = true;
      resting.wake();
    });
    while (!stopping.signal.aborted) {
      try {
        if (isToLookAfter) {
          isToLookAfter = false;
          if (await parts.lookAfter()) for (const queue of queues) queue.forget();
        }
        await parts.settle((part) => inHand.ofPartition(part) === 0);
        if (parts.held().size > 0) await startDue();
      } catch (error) {
        settings.onError('processes', 'leases', error);
      }
      if (!stopping.signal.aborted) await resting.upTo(idleMs());
    }
    stopBeat();
    unwatch();
  }

  /** How long there is nothing to do, as far as is known: the beat comes before that is over. */
  function idleMs(): number {
    if (parts.held().size === 0) return LONGEST_REST_MS;
    return Math.min(LONGEST_REST_MS, ...queues.filter(hasRoom).map((queue) => queue.idleMs()));
  }

  function wake(): void {
    for (const queue of queues) queue.forget();
    resting.wake();
  }

  const isAllDone = allDone(settings, () => inHand.ends().length > 0);

  async function stop(): Promise<void> {
    stopping.abort();
    resting.wake();
    await loop;
    await Promise.allSettled(inHand.ends());
    await parts.release();
  }

  return {
    start() {
      loop ??= run();
    },
    wake,
    stop: () => (stopped ??= stop()),
    async drain() {
      const before = finished;
      while (!stopping.signal.aborted && !(await isAllDone())) {
        if (loop === null && (await unstaffedPartitions(leases)) === PARTITIONS)
          throw new StoreUnavailable('no worker does what falls due');
        wake();
        await Promise.race([...inHand.ends(), pause(DRAIN_POLL_MS)]);
      }
      return { processed: finished - before };
    },
  };
}

/**
 * Looks at all that are to be looked at, each once: where a look takes longer than the views rest, there is always one
 * to look at, and what was found would never begin.
 */
async function lookAtEach(
  toLook: () => readonly WorkQueue[],
  onError: ProcessRunnerSettings['onError'],
): Promise<void> {
  const lookAt = (queue: WorkQueue): Promise<void> =>
    queue.look().catch((error: unknown) => onError(queue.process.name, 'look', error));
  const looked = new Set<WorkQueue>();
  const next = (): readonly WorkQueue[] => toLook().filter((queue) => !looked.has(queue));
  // A slot may get free during a look: whoever has not been looked at since then is looked at before it is given.
  for (let queued = next(); queued.length > 0; queued = next()) {
    for (const queue of queued) looked.add(queue);
    await Promise.all(queued.map(lookAt));
  }
}
