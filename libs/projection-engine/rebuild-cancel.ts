import type { ReadStore, ViewShape } from '#kernel/ports/read-store.port.js';
import { RebuildRefused } from './rebuild-work.js';
import { viewKey } from './registry.js';

const KIND = 'rebuild-cancel';
const LOOK_EVERY_MS = 250;

/** Asks the process that rebuilds or verifies this view to stop between two slices. */
export async function requestCancel(reads: ReadStore, view: ViewShape): Promise<void> {
  await reads.putRecord(KIND, viewKey(view), true);
}

/**
 * Runs work that ends when the caller's signal aborts or another process requests it. A request from before the start
 * of the work was for other work.
 */
export async function cancellable<Result>(
  reads: ReadStore,
  view: ViewShape,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const key = viewKey(view);
  await reads.deleteRecord(KIND, key);
  const cancelled = new AbortController();
  const cancel = (): void => cancelled.abort(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  let looking = Promise.resolve();
  const looks = setInterval(() => {
    looking = reads.getRecord(KIND, key).then(
      (request) => {
        if (request !== null) cancelled.abort(new RebuildRefused(`The work on ${view.name} was cancelled`));
      },
      // The work itself reports an unavailable store.
      () => undefined,
    );
  }, LOOK_EVERY_MS);
  looks.unref();
  try {
    return await work(cancelled.signal);
  } finally {
    clearInterval(looks);
    signal.removeEventListener('abort', cancel);
    await looking;
  }
}
