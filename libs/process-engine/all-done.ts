import { StoreUnavailable, type Position } from '#kernel/ports/event-store.port.js';
import { hasDueWork } from './due-work.js';
import type { Process, ProcessHost } from './process.js';

export type AllDoneSettings = {
  readonly host: ProcessHost;
  readonly processes: readonly Process[];
  /** Where the event store ended, once the read models have seen all of it; null when they are too late. */
  readonly readModelsSettled: () => Promise<Position | null>;
};

/**
 * Tells whether nothing is due anywhere but what waits, and the read models show what was done. Rejects with
 * `StoreUnavailable` when the read models, which know what is due, stay behind.
 */
export function allDone(settings: AllDoneSettings, isWorking: () => boolean): () => Promise<boolean> {
  const { host, processes, readModelsSettled } = settings;

  async function settled(): Promise<Position> {
    const position = await readModelsSettled();
    if (position !== null) return position;
    throw new StoreUnavailable('the read models are behind, and with them the knowledge of what is due');
  }

  const hasNothingDue = async (): Promise<boolean> => !isWorking() && !(await hasDueWork(host, processes));

  return async () => {
    const position = await settled();
    if (!(await hasNothingDue())) return false;
    // What ended during the question may have appended since the models were seen to have everything.
    return (await settled()) === position || hasNothingDue();
  };
}
