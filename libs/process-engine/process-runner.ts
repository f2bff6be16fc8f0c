import type { LeaseStore } from '#kernel/ports/read-store.port.js';
import { everyBeat } from '#kernel/commands/beat.js';
import { firstAbort } from '#kernel/commands/first-abort.js';
import { PARTITIONS, partitionOf } from '#kernel/events/workspace-partition.js';
import { drainWork, type Drained } from './drain-work.js';
import { fencedCommands } from './fenced-commands.js';
import { LANES } from './lanes.js';
import { LEASES_EVERY_MS, partitions, unstaffedPartitions, type HeldPartition } from './partitions.js';
import { allDone, type AllDoneSettings } from './all-done.js';
import type { Process } from './process.js';
import { rest } from './rest.js';
import type { DueItem } from './to-do.js';
import { workInHand } from './work-in-hand.js';
import { workQueue, type WorkQueue } from './work-queue.js';

export type ProcessRunnerSettings = AllDoneSettings & {
  readonly leases: LeaseStore;
  /** The name of this process as a lease holder. */
  readonly holder: string;
  /** Calls back after each change of one of these views, in any process. Returns a function that unsubscribes. */
  readonly watch: (views: readonly string[], moved: (view: string) => void) => () => void;
  readonly onError: (process: string, key: string, error: unknown) => void;
  /** Whether this process starts the runner as soon as its read models have caught up; a drain waits for that. */
  readonly isStarting?: () => boolean;
  /** Real time in milliseconds; tests replace it. */
  readonly nowMs?: () => number;
};

/** Does pending work: the process that holds the lease of its workspace's partition acts on the item. */
export type ProcessRunner = {
  readonly start: () => void;
  /** Looks for due work now, for example after the manual clock was set. */
  readonly wake: () => void;
  /** Takes no more work, stops running work at its next step, and releases the leases. */
  readonly stop: () => Promise<void>;
  /**
   * Resolves when no process has due work except waiting work, with the number of items that this process finished
   * meanwhile; also, with what is still due, if nothing is written for a minute and no item is being worked on, or items
   * end and stay due. Rejects with `StoreUnavailable` if the read models, which list the pending work, lag behind, if there
   * is work but no worker, or if this process stops.
   */
  readonly drain: () => Promise<Drained>;
};

const idOf = (process: Process, item: DueItem): string => `${process.name}:${process.key(item)}`;

const LONGEST_REST_MS = 2 * LEASES_EVERY_MS;

export function createProcessRunner(settings: ProcessRunnerSettings): ProcessRunner {
  const { host, processes, leases, holder, isStarting = () => false, nowMs = Date.now } = settings;
  const inHand = workInHand(nowMs);
  const stopping = new AbortController();
  const parts = partitions(leases, holder);
  const resting = rest();
  let loop: Promise<void> | null = null;
  let finished = 0;
  let stopped: Promise<void> | null = null;

  const queues = processes.map((process) =>
    workQueue({
      host,
      process,
      idOf: (item) => idOf(process, item),
      isOwn: (workspaceId) => parts.held().has(partitionOf(workspaceId)),
      share: () => parts.held().size / PARTITIONS,
      isFree: (item) => inHand.isFree(idOf(process, item)),
      notFree: () => inHand.notFree(process),
      nowMs,
    }),
  );

  const hasLane = ({ process }: WorkQueue): boolean => inHand.hasLane(process);

  async function runItem(queue: WorkQueue, item: DueItem, id: string, part: HeldPartition): Promise<void> {
    const { process } = queue;
    const fenced = { ...host, commands: fencedCommands(host.commands, part.fence) };
    const ending = firstAbort(stopping.signal, part.signal);
    try {
      const acted = await process.act(fenced, item, ending.signal);
      inHand.succeeded(id);
      if (acted === 'continues') {
        queue.moved();
        return;
      }
      queue.done(id);
      finished += 1;
    } catch (error) {
      // The runner was stopped, or another worker holds the partition: not a failure of the item.
      if (ending.signal.aborted) return;
      queue.againAt(inHand.failed(id));
      settings.onError(process.name, process.key(item), error);
      await process.failed?.(fenced, item, error).catch((second: unknown) => {
        settings.onError(process.name, process.key(item), second);
      });
    } finally {
      ending.end();
      inHand.end(id);
      resting.wake();
    }
  }

  /** Starts the next item of a process, if there is one and its workspace has a free slot. */
  function startNext(queue: WorkQueue): boolean {
    // `stop` may come while the to-dos are read.
    if (stopping.signal.aborted || !hasLane(queue)) return false;
    const { process } = queue;
    const { lane } = process;
    const slotsOf = (workspaceId: number): number => inHand.ofWorkspace(workspaceId, lane);
    const item = queue.take(slotsOf, LANES[lane].ofOneWorkspace);
    if (item === null) return false;
    const part = parts.held().get(partitionOf(item.workspaceId));
    if (part === undefined || part.signal.aborted) return false;
    const id = idOf(process, item);
    const done = runItem(queue, item, id, part);
    inHand.begin(id, { process, workspaceId: item.workspaceId, partition: part.number, done });
    return true;
  }

  /** The process with the fewest slots of a lane gets the next slot. */
  const fewestFirst = (): readonly WorkQueue[] =>
    queues.toSorted((left, right) => inHand.ofProcess(left.process) - inHand.ofProcess(right.process));

  /** Reads the to-dos that may have changed and starts due items, one process after the other. */
  async function startDue(): Promise<void> {
    inHand.forgetOld();
    await lookAtEach(() => queues.filter((queue) => hasLane(queue) && queue.isToLook()), settings.onError);
    while (fewestFirst().some(startNext));
  }

  async function run(): Promise<void> {
    const views = [...new Set(processes.map(({ toDo }) => toDo.view.name))];
    const unwatch = settings.watch(views, (view) => {
      const concerned = queues.filter(({ process }) => process.toDo.view.name === view);
      // A stale queue already has a time for its next read: a view that changes with every hold would end every rest.
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

  /** Milliseconds until the next known work; the heartbeat comes earlier. */
  function idleMs(): number {
    if (parts.held().size === 0) return LONGEST_REST_MS;
    return Math.min(LONGEST_REST_MS, ...queues.filter(hasLane).map((queue) => queue.idleMs()));
  }

  function wake(): void {
    for (const queue of queues) queue.forget();
    resting.wake();
  }

  const lookAtWork = allDone(settings, () => inHand.ends().length > 0, stopping.signal);

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
    drain: () =>
      drainWork(settings, {
        look: lookAtWork,
        finished: () => finished,
        ends: inHand.ends,
        isUnstaffed: async () =>
          loop === null && !isStarting() && (await unstaffedPartitions(leases)) === PARTITIONS,
        wake,
        nowMs,
      }),
  };
}

/**
 * Reads each stale queue once. If reading took longer than the views stay unchanged, there would always be another stale
 * queue, and the items found would never start.
 */
async function lookAtEach(
  toLook: () => readonly WorkQueue[],
  onError: ProcessRunnerSettings['onError'],
): Promise<void> {
  const lookAt = (queue: WorkQueue): Promise<void> =>
    queue.look().catch((error: unknown) => onError(queue.process.name, 'look', error));
  const looked = new Set<WorkQueue>();
  const next = (): readonly WorkQueue[] => toLook().filter((queue) => !looked.has(queue));
  // A slot may become free during a read: queues not read since then are read before the slot is given away.
  for (let queued = next(); queued.length > 0; queued = next()) {
    for (const queue of queued) looked.add(queue);
    await Promise.all(queued.map(lookAt));
  }
}
