import { inTurn, nextInTurn } from './in-turn.js';
import { isWaiting, type Process, type ProcessHost } from './process.js';
import { dueItems, nextDueAt, workspacesDue, type DueItem } from './to-do.js';

/**
 * What one process has to do, as far as it was looked at. It is looked at when its to-do view has moved, when the next
 * due time has come, when what was found before has been started, and a second after something was found that is
 * still due: never when there is nothing to do.
 */
export type WorkQueue = {
  readonly process: Process;
  /** The to-do view has moved: what is done may have left it, and new work may be there. Whether that is news. */
  readonly moved: () => boolean;
  /** Looks at the next occasion, whatever was known. */
  readonly forget: () => void;
  /** An item was done; until its view moves it is left alone. */
  readonly done: (id: string) => void;
  /** Something will be due again, in real time. */
  readonly againAt: (atMs: number) => void;
  readonly isToLook: () => boolean;
  /** How long nothing is to be done here, in milliseconds. */
  readonly idleMs: () => number;
  readonly look: () => Promise<void>;
  /** The next item to start; null when there is none for whom a slot is free. */
  readonly take: (slotsOf: (workspaceId: number) => number, share: number) => DueItem | null;
};

export type WorkQueueSettings = {
  readonly host: ProcessHost;
  readonly process: Process;
  /** Whether this worker may start the item now: not in work, not to be tried again later, of a part that it has. */
  readonly isFree: (item: DueItem) => boolean;
  /** How many items may stand in the to-do view before those that are free. */
  readonly notFree: () => number;
  readonly idOf: (item: DueItem) => string;
  readonly nowMs: () => number;
};

/** A view that moves without end is looked at so often at most. */
const LOOK_GAP_MS = 25;
/** The same where what is written falls due long after: it cannot be urgent, and may be every hold of a busy ledger. */
const UNHURRIED_GAP_MS = 1_000;
/** What was found and is still there is looked at again: somebody else may be at it, or it may not have left the view. */
const LOOK_AGAIN_MS = 1_000;
/** Items that are asked for at first. When there are more, each workspace is asked by itself. */
const PAGE = 32;
const MOST_WORKSPACES = 1_000;
/** Looks take no more than one part in so many of the time, however much is due. */
const LOOK_SHARE = 10;
/** Items known at a time when there are more than a page. */
const MOST_KNOWN = 256;
const MOST_OF_ONE_WORKSPACE = 16;
/** So many workspaces are remembered; who was forgotten comes first. */
const MOST_SERVED = 10_000;

export function workQueue(settings: WorkQueueSettings): WorkQueue {
  const { host, process, isFree, nowMs } = settings;
  const { toDo } = process;
  const gapMs = (toDo.afterMs ?? 0) > UNHURRIED_GAP_MS ? UNHURRIED_GAP_MS : LOOK_GAP_MS;
  const newsGapMs = (): number => Math.max(gapMs, Math.min(UNHURRIED_GAP_MS, LOOK_SHARE * lookTookMs));
  /** Items that were done, and until when, in real time, they are left alone. */
  const done = new Map<string, number>();
  let known: DueItem[] = [];
  /** There was more than is known. */
  let hasMore = false;
  let isStale = true;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let lookTookMs = 0;
  let lookAgainAtMs = Number.POSITIVE_INFINITY;
  let dueAt: Date | null = null;
  /** Workspaces by their last turn. */
  const served = new Map<number, number>();
  let turns = 0;
  const servedAt = (workspaceId: number): number => served.get(workspaceId) ?? 0;

  const isStartable = (item: DueItem): boolean =>
    (done.get(settings.idOf(item)) ?? Number.NEGATIVE_INFINITY) <= nowMs() && isFree(item);

  /** Free items, oldest first: more are asked for where others stand before them. */
  async function free(now: Date, wanted: number, workspaceId?: number) {
    const { isOneAWorkspace } = toDo;
    for (let limit = isOneAWorkspace ? 1 : wanted + settings.notFree() + done.size; ; limit *= 2) {
      const items = await dueItems(host.readModels, toDo, now, limit, workspaceId);
      const startable = items.filter(isStartable);
      const isAll = isOneAWorkspace || items.length < limit;
      if (isAll || startable.length >= wanted) return { startable, isAll, found: items.length };
    }
  }

  async function unparked(items: readonly DueItem[]): Promise<readonly DueItem[]> {
    const workspaces = [...new Set(items.map(({ workspaceId }) => workspaceId))];
    const waiting = await Promise.all(workspaces.map((id) => isWaiting(host, process, id)));
    const isOpen = new Map(workspaces.map((id, index) => [id, waiting[index] === false]));
    return items.filter(({ workspaceId }) => isOpen.get(workspaceId) === true);
  }

  /** Some of each workspace: a long list of one must not hide another's single item. */
  async function ofEachWorkspace(now: Date) {
    const all = await workspacesDue(host.readModels, toDo, now, MOST_WORKSPACES);
    const inOrder = all.toSorted((left, right) => servedAt(left) - servedAt(right));
    const ofOne = toDo.isOneAWorkspace
      ? 1
      : Math.min(MOST_OF_ONE_WORKSPACE, Math.max(1, Math.floor(MOST_KNOWN / inOrder.length)));
    const items: DueItem[] = [];
    for (const workspaceId of inOrder) {
      if (items.length >= MOST_KNOWN) break;
      if (await isWaiting(host, process, workspaceId)) continue;
      const { startable } = await free(now, ofOne, workspaceId);
      items.push(...startable.slice(0, ofOne));
    }
    return { items, isAll: toDo.isOneAWorkspace && items.length < MOST_KNOWN, found: all.length };
  }

  async function ofAll(now: Date) {
    const { startable, isAll, found } = await free(now, PAGE);
    return isAll ? { items: await unparked(startable), isAll, found } : ofEachWorkspace(now);
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
    const { items, isAll, found } = await (toDo.isOneAWorkspace ? ofEachWorkspace(now) : ofAll(now));
    known = [...inTurn(items, servedAt)];
    hasMore = !isAll && items.length > 0;
    dueAt = await nextDueAt(host.readModels, toDo, now);
    if (found === 0) lookAgainAtMs = Number.POSITIVE_INFINITY;
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
