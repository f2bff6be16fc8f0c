import { inTurn, nextInTurn } from './in-turn.js';
import { isWaiting, type Process, type ProcessHost } from './process.js';
import { dueItems, nextDueAt, workspacesDue, type DueItem } from './to-do.js';

/**
 * The known pending work of one process. The to-do view is read after it has changed, at the next due time, when all
 * known items have been started, and one second after a read found items of this worker that are still due. It is not read
 * when there is nothing to do, or only work of other workers.
 */
export type WorkQueue = {
  readonly process: Process;
  /** Call it when the to-do view has changed: it may have lost or gained items. Returns whether the queue was up to date before. */
  readonly moved: () => boolean;
  /** Makes the queue read the view at the next opportunity. */
  readonly forget: () => void;
  /** Call it when an item is done: the item is ignored until its view changes. */
  readonly done: (id: string) => void;
  /** Call it with the real time at which an item will be due again. */
  readonly againAt: (atMs: number) => void;
  readonly isToLook: () => boolean;
  /** Milliseconds until the next known work. */
  readonly idleMs: () => number;
  /** Reads the view. If that fails, the next attempt is due after one second, as for items that are still in the view. */
  readonly look: () => Promise<void>;
  /** The next item to start; null if there is none with a free slot. */
  readonly take: (slotsOf: (workspaceId: number) => number, share: number) => DueItem | null;
};

export type WorkQueueSettings = {
  readonly host: ProcessHost;
  readonly process: Process;
  /** Whether this worker does the work of this workspace. */
  readonly isOwn: (workspaceId: number) => boolean;
  /** The share of this worker among all workspaces: more than 0, at most 1. */
  readonly share: () => number;
  /** Whether an item of this worker may start: it is not running and does not wait for a retry. */
  readonly isFree: (item: DueItem) => boolean;
  /** The number of items in the to-do view that may come before the free ones. */
  readonly notFree: () => number;
  readonly idOf: (item: DueItem) => string;
  readonly nowMs: () => number;
};

/** Minimum interval between reads of a view that changes continuously. */
const LOOK_GAP_MS = 25;
/** The same for an unhurried to-do. A known due time takes precedence. */
const UNHURRIED_GAP_MS = 1_000;
/** Items of this worker that are still in the view are read again: they may have to wait, or the view lags behind. */
const LOOK_AGAIN_MS = 1_000;
/** Items of the first read. If there are more, each workspace is read separately. */
const PAGE = 32;
/** Workspaces of this worker among those that one read looks at. */
const MOST_WORKSPACES = 1_000;
/** Reads take at most one in this many parts of the time, regardless of the amount of due work. */
const LOOK_SHARE = 10;
/** Items in memory if there is more than one page. */
const MOST_KNOWN = 256;
const MOST_OF_ONE_WORKSPACE = 16;
/** Number of remembered workspaces; a forgotten one is served first. */
const MOST_SERVED = 10_000;

export function workQueue(settings: WorkQueueSettings): WorkQueue {
  const { host, process, isOwn, isFree, nowMs } = settings;
  const { toDo } = process;
  const gapMs = toDo.isUnhurried ? UNHURRIED_GAP_MS : LOOK_GAP_MS;
  const newsGapMs = (): number => Math.max(gapMs, Math.min(UNHURRIED_GAP_MS, LOOK_SHARE * lookTookMs));
  /** Completed items, with the real time until which they are ignored. */
  const done = new Map<string, number>();
  let known: DueItem[] = [];
  /** The last read found more items than are in memory. */
  let hasMore = false;
  let isStale = true;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let lookTookMs = 0;
  let lookAgainAtMs = Number.POSITIVE_INFINITY;
  let dueAt: Date | null = null;
  /** Workspaces in the order in which they were last served. */
  const served = new Map<number, number>();
  let turns = 0;
  const servedAt = (workspaceId: number): number => served.get(workspaceId) ?? 0;
  const nextWorkspaces = workspacesInTurn(settings);

  const isStartable = (item: DueItem): boolean =>
    isOwn(item.workspaceId) &&
    (done.get(settings.idOf(item)) ?? Number.NEGATIVE_INFINITY) <= nowMs() &&
    isFree(item);

  /** Enough items that the wanted number is left after removing those that may not start. */
  const enoughFor = (wanted: number): number => wanted + settings.notFree() + done.size;

  /** Items of a workspace that may start, oldest first; reads more if other items come before them. */
  async function startableOf(workspaceId: number, now: Date, wanted: number): Promise<readonly DueItem[]> {
    const { isOneAWorkspace } = toDo;
    for (let limit = isOneAWorkspace ? 1 : enoughFor(wanted); ; limit *= 2) {
      const items = await dueItems(host.readModels, toDo, now, limit, workspaceId);
      const startable = items.filter(isStartable);
      if (isOneAWorkspace || items.length < limit || startable.length >= wanted) return startable;
    }
  }

  /** Some items of each workspace, so that many items of one workspace do not hide the single item of another one. */
  async function ofEachWorkspace(now: Date) {
    const { found, isEach } = await nextWorkspaces(now);
    const inOrder = found.filter(isOwn).sort((left, right) => servedAt(left) - servedAt(right));
    const ofOne = toDo.isOneAWorkspace
      ? 1
      : Math.min(MOST_OF_ONE_WORKSPACE, Math.max(1, Math.floor(MOST_KNOWN / inOrder.length)));
    const items: DueItem[] = [];
    for (const workspaceId of inOrder) {
      if (items.length >= MOST_KNOWN) break;
      if (await isWaiting(host, process, workspaceId)) continue;
      const startable = await startableOf(workspaceId, now, ofOne);
      items.push(...startable.slice(0, ofOne));
    }
    // Own workspaces may come after the last one that was read.
    const isOwnFound = inOrder.length > 0 || !isEach;
    return { items, isAll: toDo.isOneAWorkspace && isEach && items.length < MOST_KNOWN, isOwnFound };
  }

  async function ofAll(now: Date) {
    const limit = enoughFor(PAGE);
    const items = await dueItems(host.readModels, toDo, now, limit);
    if (items.length === limit) return ofEachWorkspace(now);
    const isOwnFound = items.some(({ workspaceId }) => isOwn(workspaceId));
    return { items: await unparked(settings, items.filter(isStartable)), isAll: true, isOwnFound };
  }

  async function look(): Promise<void> {
    isStale = false;
    lookedAtMs = nowMs();
    lookAgainAtMs = lookedAtMs + LOOK_AGAIN_MS;
    for (const workspaceId of served.keys()) {
      if (served.size <= MOST_SERVED) break;
      served.delete(workspaceId);
    }
    for (const [id, untilMs] of done) if (untilMs <= lookedAtMs) done.delete(id);
    const now = host.clock.now();
    // If a read fails, neither the rest of a former one nor a due time that has passed asks for the next at once.
    [known, hasMore, dueAt] = [[], false, null];
    const { items, isAll, isOwnFound } = await (toDo.isOneAWorkspace ? ofEachWorkspace(now) : ofAll(now));
    known = [...inTurn(items, servedAt)];
    hasMore = !isAll && items.length > 0;
    dueAt = await nextDueAt(host.readModels, toDo, now);
    // Other workers look for theirs; if this one gets their partitions, `forget` is called.
    if (!isOwnFound) lookAgainAtMs = Number.POSITIVE_INFINITY;
    lookTookMs = nowMs() - lookedAtMs;
  }

  const isDue = (): boolean => dueAt !== null && dueAt <= host.clock.now();

  return {
    process,
    moved() {
      const isNews = !isStale;
      isStale = true;
      done.clear();
      return isNews;
    },
    forget() {
      isStale = true;
      lookedAtMs = Number.NEGATIVE_INFINITY;
      done.clear();
    },
    done(id) {
      const untilMs = nowMs() + LOOK_AGAIN_MS;
      done.set(id, untilMs);
      lookAgainAtMs = Math.min(lookAgainAtMs, untilMs);
    },
    againAt(atMs) {
      lookAgainAtMs = Math.min(lookAgainAtMs, atMs);
    },
    isToLook() {
      if (hasMore && known.length === 0) return true;
      if (nowMs() >= lookAgainAtMs) return true;
      const restedMs = nowMs() - lookedAtMs;
      return (isStale && restedMs >= newsGapMs()) || (isDue() && restedMs >= LOOK_GAP_MS);
    },
    idleMs() {
      if (hasMore && known.length === 0) return 0;
      const untilDue = dueAt === null ? Infinity : dueAt.getTime() - host.clock.now().getTime();
      const sinceLookMs = nowMs() - lookedAtMs;
      return Math.max(
        0,
        Math.min(
          lookAgainAtMs - nowMs(),
          isStale ? newsGapMs() - sinceLookMs : Infinity,
          Math.max(untilDue, LOOK_GAP_MS - sinceLookMs),
        ),
      );
    },
    look,
    take(slotsOf, share) {
      for (;;) {
        const index = nextInTurn(known, slotsOf, share);
        if (index < 0) return null;
        const [next] = known.splice(index, 1);
        if (next === undefined || !isStartable(next)) continue;
        served.delete(next.workspaceId);
        served.set(next.workspaceId, (turns += 1));
        return next;
      }
    },
  };
}

/**
 * The workspaces with due work that the next read looks at. If there are more than one read may look at, each read goes on after
 * the last workspace of the one before, and after the highest id from the lowest: workspaces whose work waits do not hide later
 * ones. `isEach`: these are all of them.
 */
function workspacesInTurn({ host, process: { toDo }, share }: WorkQueueSettings) {
  let lookedUpTo = 0;
  return async (now: Date): Promise<{ readonly found: readonly number[]; readonly isEach: boolean }> => {
    const most = Math.ceil(MOST_WORKSPACES / share());
    const begin = lookedUpTo;
    const later = await workspacesDue(host.readModels, toDo, now, most, begin);
    const rest = begin === 0 ? 0 : most - later.length;
    const earlier = rest === 0 ? [] : await workspacesDue(host.readModels, toDo, now, rest, 0);
    const found = [...later, ...earlier.filter((id) => id <= begin)];
    const isEach = found.length < most;
    lookedUpTo = isEach ? 0 : (found.at(-1) ?? 0);
    return { found, isEach };
  };
}

/** The items of workspaces in which this work does not wait. */
async function unparked(
  { host, process }: WorkQueueSettings,
  items: readonly DueItem[],
): Promise<readonly DueItem[]> {
  const workspaces = [...new Set(items.map(({ workspaceId }) => workspaceId))];
  const waiting = await Promise.all(workspaces.map((id) => isWaiting(host, process, id)));
  const isOpen = new Map(workspaces.map((id, index) => [id, waiting[index] === false]));
  return items.filter(({ workspaceId }) => isOpen.get(workspaceId) === true);
}
