import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { LogChanged } from '#projection-engine/project-batch.js';
import { serviceStops } from '#projection-engine/rebuild-work.js';
import type { AwayStanding, AwayWork, FillElsewhere } from '#projection-engine/fill-elsewhere.js';
import { arrived, type CarriedError } from '#read-store/sqlite/fill-messages.js';
import { giveBackOfThread, type SharedWriteOrder } from '#read-store/sqlite/write-order.js';

/**
 * The old generation keeps its limit. Measured: 32 collections in 95 ms, with the default of 48 MB 46 in 140 ms
 * (docs/adr/0037).
 */
const YOUNG_GENERATION_MB = 192;

/** Files that a thread of this process may open besides. */
export type EmbeddedFiles = {
  readonly eventsPath: string;
  readonly readsPath: string;
  readonly turns: SharedWriteOrder;
};

/** The data that the thread gets at its start. */
export type AwayOrder = EmbeddedFiles & AwayWork;
export type AwayFailure = CarriedError | 'LOG CHANGED';
export type AwayReport =
  | { readonly kind: 'reached' | 'done'; readonly standings: readonly AwayStanding[] }
  | { readonly kind: 'failed'; readonly error: AwayFailure };

export type FillThread = {
  readonly fill: FillElsewhere;
  /** Ends the fill between two slices; written data stays. */
  readonly close: () => Promise<void>;
};

/**
 * Fills read models on a new thread with its own connections at each call. Measured: a rebuild beside
 * writes folds 20,110 events a second, on the event loop 13,031 (docs/adr/0037).
 */
export function fillThread(files: EmbeddedFiles): FillThread {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();

  const fill: FillElsewhere = async (work, signal, onStandings) => {
    if (closing.signal.aborted) throw serviceStops();
    const order: AwayOrder = { ...files, ...work };
    const worker = new Worker(new URL('./fill-thread.worker.js', import.meta.url), {
      workerData: order,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const ending = AbortSignal.any([signal, closing.signal]);
    const stop = (): void => worker.postMessage('STOP');
    ending.addEventListener('abort', stop, { once: true });
    if (ending.aborted) stop();
    try {
      await endOf(worker, onStandings);
    } finally {
      ending.removeEventListener('abort', stop);
      giveBackOfThread(files.turns);
    }
    if (closing.signal.aborted) throw serviceStops();
  };
  return {
    fill: (work, signal, onStandings) => {
      const filling = fill(work, signal, onStandings);
      const settled = filling.catch(() => undefined).then(() => void running.delete(settled));
      running.add(settled);
      return filling;
    },
    close: async () => {
      closing.abort();
      await Promise.all(running);
    },
  };
}

/** Resolves when the thread has ended, so that none of its connections outlives the request. */
function endOf(worker: Worker, onStandings: (standings: readonly AwayStanding[]) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | null = new StoreUnavailable('the thread that fills read models ended');
    worker.on('message', (report: AwayReport) => {
      if (report.kind === 'failed') {
        failure = errorOf(report.error);
        return;
      }
      if (report.kind === 'done') failure = null;
      onStandings(report.standings);
    });
    worker.on('error', (error: Error) => {
      failure = new StoreUnavailable(`the thread that fills read models ended (${error.message})`);
    });
    worker.on('exit', () => (failure === null ? resolve() : reject(failure)));
  });
}

function errorOf(failure: AwayFailure): Error {
  return failure === 'LOG CHANGED' ? new LogChanged() : arrived(failure);
}
