import { StoreUnavailable, type Position } from '#kernel/ports/event-store.port.js';
import { ReadModelUnavailable } from '#kernel/ports/read-store.port.js';
import { hasDueWork } from './due-work.js';
import type { Process, ProcessHost } from './process.js';

export type AllDoneSettings = {
  readonly host: ProcessHost;
  readonly processes: readonly Process[];
  /** The end of the event store, if the read models have applied all events up to it; null if they lag behind. */
  readonly readModelsSettled: () => Promise<Position | null>;
};

/** For callers that wait until all due work is done. */
export const endOfWork = (): StoreUnavailable =>
  new StoreUnavailable('the service stops before all due work is done');

/** `position`: the end of the event store that was looked at. */
export type LookAtWork = { readonly isAllDone: boolean; readonly position: Position };

/**
 * Looks whether no work is due except waiting work, and the read models show the completed work. Rejects with
 * `ReadModelUnavailable` if the read models lag behind: they list the pending work; and as `endOfWork` after the signal.
 */
export function allDone(
  settings: AllDoneSettings,
  isWorking: () => boolean,
  stopping: AbortSignal,
): () => Promise<LookAtWork> {
  const { host, processes, readModelsSettled } = settings;

  async function settled(): Promise<Position> {
    const position = await readModelsSettled();
    if (stopping.aborted) throw endOfWork();
    if (position !== null) return position;
    throw new ReadModelUnavailable('the read models are behind, so the due work is not known');
  }

  const hasNothingDue = async (): Promise<boolean> => !isWorking() && !(await hasDueWork(host, processes));

  return async () => {
    const position = await settled();
    if (!(await hasNothingDue())) return { isAllDone: false, position };
    // Work that ended during this check may have appended events after the read models were found up to date.
    return { isAllDone: (await settled()) === position || (await hasNothingDue()), position };
  };
}
