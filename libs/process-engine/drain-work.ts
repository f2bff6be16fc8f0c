import { StoreUnavailable, type Position } from '#kernel/ports/event-store.port.js';
import { pause } from '#kernel/commands/retry.js';
import type { AllDoneSettings, LookAtWork } from './all-done.js';
import { dueByName } from './due-work.js';

const POLL_MS = 25;

/** `stillDue`: the processes with due work that nobody does, each with its number of items; absent if all is done. */
export type Drained = { readonly processed: number; readonly stillDue?: readonly string[] };

type DrainParts = {
  readonly look: () => Promise<LookAtWork>;
  /** The number of items that this process has finished so far. */
  readonly finished: () => number;
  /** Promises that settle when the running items end. */
  readonly ends: () => readonly Promise<void>[];
  readonly isUnstaffed: () => Promise<boolean>;
  /** Looks for due work again. */
  readonly wake: () => void;
  readonly nowMs: () => number;
};

/** The `drain` of a process runner. */
export async function drainWork(
  { host, processes }: Pick<AllDoneSettings, 'host' | 'processes'>,
  { look, finished, ends, isUnstaffed, wake, nowMs }: DrainParts,
): Promise<Drained> {
  const before = finished();
  const standsStill = standstill(nowMs);
  for (;;) {
    const { isAllDone, position } = await look();
    const processed = finished() - before;
    if (isAllDone) return { processed };
    if (standsStill({ position, finished: finished(), isWorking: ends().length > 0 })) {
      const stillDue = await dueByName(host, processes);
      if (stillDue.length > 0) return { processed, stillDue };
    }
    if (await isUnstaffed()) throw new StoreUnavailable('no worker processes due work');
    wake();
    await Promise.race([...ends(), pause(POLL_MS)]);
  }
}

/** Twice the longest pause of a failed item. */
const STANDSTILL_MS = 60_000;

/** What is known at one look: the end of the event store, the number of finished items, and whether one is worked on. */
type Look = { readonly position: Position; readonly finished: number; readonly isWorking: boolean };

/**
 * Tells of each look whether the work stands still: nothing has been written for a minute, and no item is worked on, or
 * items have ended meanwhile. An item that is worked on may write nothing for long; one that ends without an event stays
 * due.
 */
function standstill(nowMs: () => number): (look: Look) => boolean {
  let since: { readonly atMs: number; readonly look: Look } | null = null;
  return (look) => {
    if (since === null || since.look.position !== look.position) since = { atMs: nowMs(), look };
    const isBusy = look.isWorking && look.finished === since.look.finished;
    return !isBusy && nowMs() - since.atMs > STANDSTILL_MS;
  };
}
