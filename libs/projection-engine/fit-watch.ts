import { randomUUID } from 'node:crypto';
import { everyBeat } from '#kernel/commands/beat.js';
import { LeaseLost, ReadModelUnavailable, type ViewShape } from '#kernel/ports/read-store.port.js';
import type { GroupLeaderOptions } from './group-leader.js';
import { groupLease } from './group-lease.js';
import { holdLease, processHolder } from './held-lease.js';
import { findViews, isToBeRenewed, renewMisfits } from './renew-misfits.js';

export type FitWatchOptions = Pick<
  GroupLeaderOptions,
  'events' | 'reads' | 'decode' | 'group' | 'leaseTiming' | 'lookEveryMs' | 'onMisfit'
> & { readonly onSetBack: () => void };

/** The last time that a reset log was found: a record that changes each time. */
const KIND = 'log-set-back';
const KEY = 'last';

/** Watches whether the views belong to the log that this process reads. */
export function fitWatch(options: FitWatchOptions) {
  const { events, reads, decode, group, lookEveryMs, onSetBack } = options;
  /** Live generations with a log mismatch that this process could not withdraw, by the name of their view. */
  const unfit = new Map<string, number | null>();
  let known: string | null = null;
  let stopLooking: (() => void) | null = null;
  let looking: Promise<void> | null = null;
  let isStopped = false;

  const lookAtAll = async (): Promise<void> => {
    const found = await findViews(options, group);
    for (const { projection } of found) unfit.delete(projection.name);
    const misfits = found.filter(isToBeRenewed);
    if (misfits.length === 0) return;
    onSetBack();
    const lease = await holdLease(reads, groupLease(group.name), processHolder(), options.leaseTiming);
    if (lease === null) {
      for (const { projection, live } of misfits) unfit.set(projection.name, live);
      return;
    }
    try {
      await renewMisfits({ events, reads, decode, fence: lease.fence }, group, found, clear);
      return;
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    } finally {
      await lease.release();
    }
    // The process that leads now may renew them.
    await lookAtAll();
  };

  const clear = async (): Promise<void> => {
    await options.onMisfit();
    onSetBack();
    known = randomUUID();
    await reads.putRecord(KIND, KEY, known);
  };

  /**
   * Whether another process has found a reset log; checked again if that process leads the views of a log of its own.
   */
  const lookAgain = async (): Promise<void> => {
    const last = await reads.getRecord<string>(KIND, KEY);
    if (last !== known) {
      known = last;
      onSetBack();
    }
    if (unfit.size > 0) await lookAtAll();
  };

  const watch = (): void => {
    if (isStopped) return;
    stopLooking ??= everyBeat(lookEveryMs, () => {
      // An unavailable store is reported by the callers that need it; this watch asks again.
      looking ??= lookAgain()
        .catch(() => undefined)
        .finally(() => (looking = null));
    });
  };

  const isServed = async (view: ViewShape): Promise<boolean> => {
    if (!unfit.has(view.name)) return true;
    const { live } = await reads.generations(view);
    if (live === unfit.get(view.name)) return false;
    unfit.delete(view.name);
    return true;
  };

  return {
    /**
     * Checks every view, and rebuilds the views with a log mismatch, or leaves that to the leading process. From then
     * on this process is notified of a reset log.
     */
    look: async (): Promise<void> => {
      known = await reads.getRecord<string>(KIND, KEY);
      await lookAtAll();
      watch();
    },
    /** Called by the leader before it rebuilds views: every process is notified. */
    clear,
    isServed,
    requireServed: async (view: ViewShape): Promise<void> => {
      if (await isServed(view)) return;
      throw new ReadModelUnavailable(`${view.name} was filled from events that are not in the event store`);
    },
    /** Names of the views that another process serves and this one does not. */
    unserved: (): readonly string[] => [...unfit.keys()],
    stop: async (): Promise<void> => {
      isStopped = true;
      stopLooking?.();
      await looking;
    },
  };
}
