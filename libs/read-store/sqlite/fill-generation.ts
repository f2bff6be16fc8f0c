import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type {
  Generation,
  GenerationFilling,
  ProjectionWrite,
  ReadStore,
} from '#kernel/ports/read-store.port.js';
import { arrived, type FillManner, type FillOrder, type FillReport, type FillWork } from './fill-messages.js';
import { preparedWrites, type PreparedWrite } from './projection-writes.js';
import { isStopped, stopping } from './stopping.js';
import { bareShape } from './tables.js';

type FillStore = Required<Pick<ReadStore, 'fillBeside'>> & {
  /** Builds the missing indexes of a generation on a thread; other writers wait for one index at most. */
  readonly indexBeside: (generation: Generation) => Promise<void>;
  /** Ends all threads between two pieces of work; written data and finished indexes stay. */
  readonly stopFilling: () => Promise<void>;
};

/** The maximum text that waits for the thread, in characters, so that memory does not grow with history. */
const MOST_WAITING = 8 << 20;

/** Only processes of operators wait for the file. Measured: a cache of 32 or 128 MiB is no faster (docs/adr/0146). */
const FILLING: FillManner = { cacheKib: 16_384, heldMs: 500 };
/** Requests of a service wait for the file. */
const INDEXING: FillManner = { cacheKib: 65_536, heldMs: 250 };

/**
 * Threads with a connection of their own, each of which writes and indexes the generations it was begun for. Measured:
 * 200,000 events of `credit-movements` are rebuilt in 2.3 s, without a thread in 2.6 s (docs/adr/0035).
 */
export function sqliteFilling(path: string, load: ReadStore['load']): FillStore {
  const threads = new Set<Worker>();
  const { shared, stop } = stopping();
  const begin = (generations: readonly Generation[], manner: FillManner): GenerationFilling => {
    const bare = generations.map(({ view, generation }) => ({ view: bareShape(view), generation }));
    const workerData: FillWork = { ...manner, path, generations: bare, stopped: shared };
    const thread = new Worker(new URL('./fill-generation.worker.js', import.meta.url), { workerData });
    threads.add(thread);
    thread.once('exit', () => threads.delete(thread));
    return filling(thread, generations, load);
  };
  return {
    fillBeside: (generations) => begin(generations, FILLING),
    indexBeside: async (generation) => {
      if (isStopped(shared)) throw new StoreUnavailable(`${path} is closed`);
      const indexing = begin([generation], INDEXING);
      try {
        await indexing.indexGeneration(generation);
      } finally {
        void indexing.end();
      }
    },
    stopFilling: async () => {
      stop();
      await Promise.all([...threads].map(endOf));
    },
  };
}

/** Resolves when the thread has ended; orders that it has not begun are dropped. */
function endOf(thread: Worker): Promise<void> {
  thread.postMessage('END' satisfies FillOrder);
  return new Promise((resolve) => {
    thread.once('exit', () => resolve());
  });
}

/** An order that was not answered yet. */
type Waiting = {
  readonly writes: readonly ProjectionWrite[] | null;
  readonly characters: number;
  readonly done: () => void;
};

function filling(
  thread: Worker,
  generations: readonly Generation[],
  load: ReadStore['load'],
): GenerationFilling {
  const waiting: Waiting[] = [];
  const whenLess = new Set<() => void>();
  let characters = 0;
  let failure: Error | null = null;

  const noticed = (): void => {
    for (const look of [...whenLess]) look();
  };
  const fail = (error: Error): void => {
    failure ??= error;
    for (const { done } of waiting.splice(0)) done();
    noticed();
  };
  thread.on('message', ({ error }: FillReport) => {
    if (error !== null) return fail(arrived(error));
    const answered = waiting.shift();
    characters -= answered?.characters ?? 0;
    answered?.done();
    noticed();
  });
  thread.once('error', fail);
  const ended = new Promise<void>((resolve) => {
    thread.once('exit', () => {
      fail(new StoreUnavailable('the thread that writes the read models has ended'));
      resolve();
    });
  });

  const order = (what: Exclude<FillOrder, 'END'>, writes: Waiting['writes'], weight: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const done = (): void => (failure === null ? resolve() : reject(failure));
      if (failure !== null) return done();
      characters += weight;
      waiting.push({ writes, characters: weight, done });
      thread.postMessage(what);
    });
  const until = (isReached: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (failure === null && !isReached()) return;
        whenLess.delete(look);
        if (failure === null) resolve();
        else reject(failure);
      };
      whenLess.add(look);
      look();
    });
  const placeOf = ({ view, generation }: Generation): number => {
    const place = generations.findIndex((known) => known.view === view && known.generation === generation);
    if (place < 0) throw new Error(`nobody fills generation ${generation} of ${view.name}`);
    return place;
  };

  return {
    write: async (writes, fence) => {
      const prepared = preparedWrites(writes);
      const placed = prepared.map(({ generation, ...write }) => ({ ...write, place: placeOf(generation) }));
      // the next write, or the wait for all of them, gets the error
      order({ writes: placed, fence }, writes, sum(prepared.map(weightOf))).catch(() => undefined);
      await until(() => characters <= MOST_WAITING);
    },
    load: async (generation, keys) => {
      if (failure !== null) throw failure;
      const wanted = new Set(keys);
      const taken = waiting
        .flatMap(({ writes }) => writes ?? [])
        .filter((write) => write.generation === generation)
        .flatMap(({ documents }) => documents.filter(({ key }) => wanted.has(key)));
      // A document that no longer waits for the thread is in the store.
      const loaded = new Map(await load(generation, keys));
      for (const { key, position, document } of taken) loaded.set(key, { key, position, document });
      return loaded;
    },
    settled: () => until(() => waiting.every(({ writes }) => writes === null)),
    indexGeneration: async (generation) => order({ index: placeOf(generation) }, null, 0),
    end: () => {
      thread.postMessage('END' satisfies FillOrder);
      return ended;
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The text of the documents: the other values take about as much again. */
function weightOf({ documents }: PreparedWrite): number {
  return sum(documents.rows.map((row) => String(row.at(-1)).length));
}
