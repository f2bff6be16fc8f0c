import { setTimeout as delay } from 'node:timers/promises';
import { untilBeat } from '#kernel/commands/beat.js';
import { ReadModelUnavailable } from '#kernel/ports/read-store.port.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ProcessHost } from './process.js';

/** Work that is repeated after every change of the network. */
export type NetworkFollower = {
  /** Repeats the work if the network has changed since the last time. */
  readonly catchUp: () => Promise<void>;
  /** The number of changes found so far, by `catchUp` and in the background. */
  readonly found: () => number;
  /** Follows the network in the background from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

/**
 * Does the work of one workspace within a check. If it fails, for example because a stream cannot be folded, the error is
 * reported, the others are checked, and the whole check is due again. The same holds, without an error, while a read
 * model that the check waits for is parked for the workspace. Returns the number of changes found.
 */
export type CheckApart = (workspaceId: number, work: () => Promise<number>) => Promise<number>;

export type NetworkCheck = {
  /** Checks everything for which the network may have new facts. Returns the number of changes found. */
  readonly look: (signal: AbortSignal, apart: CheckApart) => Promise<number>;
  /**
   * Read models that say where to look. One that is parked for a workspace does not show what earlier checks recorded
   * there, so each check would record the same again.
   */
  readonly waitsFor: readonly string[];
  /** Names the period in which one check is enough while the network does not change; absent: for ever. */
  readonly period?: () => string;
  readonly onError: (error: unknown) => void;
};

const LOOK_EVERY_MS = 1_000;
/** While the network changes continuously, checks take at most a tenth of the time. */
const REST_FACTOR = 9;
/** A workspace that fails seldom recovers within a second; a new fact of the network causes a check at once. */
const INCOMPLETE_AGAIN_MS = 10_000;
/**
 * Longer than a look-up is under way and read models are behind: a check does not see what a look-up from before the change
 * records after it. So each check is repeated once after this time.
 */
const REPEATED_AFTER_MS = 60_000;

/** The state of the network, and the period, that a check covers. */
type Checked = { readonly learned: number; readonly period: string };

const NEVER_CHECKED: Checked = { learned: Number.NEGATIVE_INFINITY, period: '' };

const covers = (checked: Checked, current: Checked): boolean =>
  current.learned <= checked.learned && current.period === checked.period;

/**
 * Only this worker's memory holds the state of the network at the last check, so each worker checks once at its start.
 * The work must be idempotent, because several workers may do it at the same time.
 */
export function networkFollower(
  { directory, isParked }: Pick<ProcessHost, 'directory' | 'isParked'>,
  { look, waitsFor, period = () => '', onError }: NetworkCheck,
): NetworkFollower {
  let seen: Checked = NEVER_CHECKED;
  let incomplete: (Checked & { readonly atMs: number }) | null = null;
  /** The check that is to be repeated; null: none. `isRepeated`: a caller of `catchUp` had it repeated before its time. */
  let settling: { readonly sinceMs: number; readonly isRepeated: boolean } | null = null;
  let found = 0;
  let looking: Promise<unknown> = Promise.resolve();
  let loop: Promise<void> | null = null;
  const stopping = new AbortController();

  async function lookIfDue(isPatient: boolean): Promise<void> {
    // Read before the check: a change during the check causes another check.
    const current = { learned: await directory.learned(), period: period() };
    const sinceMs = performance.now();
    const isNew = !covers(seen, current);
    const isLast = settling !== null && sinceMs - settling.sinceMs >= REPEATED_AFTER_MS;
    const isEarly = !isPatient && settling?.isRepeated === false;
    if (!isNew && !isLast && !isEarly) return;
    const isWait = isPatient && incomplete !== null && covers(incomplete, current);
    if (isWait && performance.now() - (incomplete?.atMs ?? 0) < INCOMPLETE_AGAIN_MS) return;
    let isComplete = true;
    const apart: CheckApart = async (workspaceId, work) => {
      try {
        const parked = await Promise.all(waitsFor.map((view) => isParked(view, workspaceId)));
        if (!parked.includes(true)) return await work();
        isComplete = false;
        return 0;
      } catch (error) {
        // The store of all workspaces; a read model may be unavailable for one of them.
        if (error instanceof StoreUnavailable && !(error instanceof ReadModelUnavailable)) throw error;
        if (stopping.signal.aborted) throw error;
        isComplete = false;
        onError(error);
        return 0;
      }
    };
    found += await look(stopping.signal, apart);
    if (stopping.signal.aborted) return;
    incomplete = isComplete ? null : { ...current, atMs: performance.now() };
    if (!isComplete) return;
    seen = current;
    if (isNew) settling = { sinceMs, isRepeated: false };
    else settling = isLast || settling === null ? null : { ...settling, isRepeated: true };
  }

  /** Concurrent calls share one check at a time. */
  function checked(isPatient: boolean): Promise<void> {
    const check = (): Promise<void> => lookIfDue(isPatient);
    const mine = looking.then(check, check);
    looking = mine.catch(() => undefined);
    return mine;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAtMs = performance.now();
      await checked(true).catch((error: unknown) => {
        // A check that a stop interrupts is not a failure.
        if (!stopping.signal.aborted) onError(error);
      });
      const restMs = REST_FACTOR * (performance.now() - startedAtMs);
      if (restMs > LOOK_EVERY_MS) await delay(restMs, null, { signal: stopping.signal }).catch(() => null);
      else await untilBeat(LOOK_EVERY_MS, stopping.signal);
    }
  }

  return {
    catchUp: () => checked(false),
    found: () => found,
    start() {
      loop ??= run();
    },
    async stop() {
      stopping.abort();
      await loop;
      await looking;
    },
  };
}
