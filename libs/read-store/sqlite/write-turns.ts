/**
 * Whose turn it is to write, where two threads of one process write to one file: the loop that answers requests says
 * that it is coming, and the other thread begins nothing before it has been. So the loop waits for one short
 * transaction at most and is woken by its end; SQLite would have it look again after a millisecond, and another two.
 */
export type WriteTurns = {
  /** Before a transaction is begun. */
  readonly take: () => void;
  /** After it has ended, however it did. */
  readonly giveBack: () => void;
};

/** What both threads look at. */
export type SharedTurns = SharedArrayBuffer;

const IS_WANTED = 0;
const IS_TAKEN = 1;
const WORDS = 2;

/** The lock of the file decides in the end: a thread that died in its turn stops nobody for longer. */
const PATIENCE_MS = 50;

/** Nobody's turn yet. */
export function sharedTurns(): SharedTurns {
  return new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
}

/** Those of the loop, which goes first. */
export function turnsOfLoop(shared: SharedTurns): WriteTurns {
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

/** A thread is gone: one that died in its turn cannot give it back, and the loop would wait for it at every write. */
export function giveBackOfThread(shared: SharedTurns): void {
  const words = new Int32Array(shared);
  Atomics.store(words, IS_TAKEN, 0);
  Atomics.notify(words, IS_TAKEN);
}

/** Those of the thread, which gives way; it is told how long the longest was since it last asked. */
export function turnsOfThread(shared: SharedTurns): WriteTurns & { readonly heldMs: () => number } {
  const words = new Int32Array(shared);
  let [takenAt, longest] = [0, 0];
  const free = (): void => giveBackOfThread(shared);
  return {
    take: () => {
      for (;;) {
        while (Atomics.load(words, IS_WANTED) === 1) Atomics.wait(words, IS_WANTED, 1, PATIENCE_MS);
        Atomics.store(words, IS_TAKEN, 1);
        // It may have come between the look and the word.
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
