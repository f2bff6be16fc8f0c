/**
 * The order of writes of two threads of one process to one file: the event loop announces that it wants to write, and
 * the other thread begins no transaction before the loop has written. The loop therefore waits for one short
 * transaction at most and is notified of its end; SQLite itself would retry after one millisecond, and again after
 * two.
 */
export type WriteOrder = {
  /** Before a transaction is begun. */
  readonly take: () => void;
  /** After it has ended, successfully or not. */
  readonly giveBack: () => void;
};

/** The memory shared by both threads. */
export type SharedWriteOrder = SharedArrayBuffer;

const IS_WANTED = 0;
const IS_TAKEN = 1;
const WORDS = 2;

/** The lock of the file still decides: a thread that died while it was writing blocks no other thread for longer. */
const PATIENCE_MS = 50;

/** No thread is writing yet. */
export function sharedWriteOrder(): SharedWriteOrder {
  return new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
}

/** The transactions of the event loop, which has priority. */
export function writeOrderOfLoop(shared: SharedWriteOrder): WriteOrder {
  const words = new Int32Array(shared);
  return {
    take: () => {
      Atomics.store(words, IS_WANTED, 1);
      if (Atomics.load(words, IS_TAKEN) === 1) Atomics.wait(words, IS_TAKEN, 1, PATIENCE_MS);
    },
    giveBack: () => {
      Atomics.store(words, IS_WANTED, 0);
      Atomics.notify(words, IS_WANTED);
    },
  };
}

/**
 * Notes that a thread has ended: a thread that died while writing cannot release the file, and the loop would wait
 * for it at every write.
 */
export function giveBackOfThread(shared: SharedWriteOrder): void {
  const words = new Int32Array(shared);
  Atomics.store(words, IS_TAKEN, 0);
  Atomics.notify(words, IS_TAKEN);
}

/** The transactions of the thread, which waits for the loop; returns the longest one since the last call. */
export function writeOrderOfThread(shared: SharedWriteOrder): WriteOrder & { readonly heldMs: () => number } {
  const words = new Int32Array(shared);
  let [takenAt, longest] = [0, 0];
  const free = (): void => giveBackOfThread(shared);
  return {
    take: () => {
      for (;;) {
        while (Atomics.load(words, IS_WANTED) === 1) Atomics.wait(words, IS_WANTED, 1, PATIENCE_MS);
        Atomics.store(words, IS_TAKEN, 1);
        // The announcement may have come between the check and the write of the flag.
        if (Atomics.load(words, IS_WANTED) === 0) break;
        free();
      }
      takenAt = performance.now();
    },
    giveBack: () => {
      longest = Math.max(longest, performance.now() - takenAt);
      free();
    },
    heldMs: () => {
      const held = longest;
      longest = 0;
      return held;
    },
  };
}
