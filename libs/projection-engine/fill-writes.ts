import { availableParallelism } from 'node:os';
import type { Generation, GenerationFilling, ReadStore } from '#kernel/ports/read-store.port.js';

/** So many documents are written faster than a thread starts. */
const FEW_DOCUMENTS = 5_000;

/**
 * A read store for a process that only fills generations: for large generations it writes on a thread next to the
 * fold, if possible.
 */
export type FillWrites = {
  readonly reads: ReadStore;
  /** Resolves when everything written is in the store. Rejects with the error of the other thread. */
  readonly settled: () => Promise<void>;
  /** No caller waits for the rest. */
  readonly end: () => void;
};

export function fillWrites(
  reads: ReadStore,
  generations: readonly Generation[],
  cores: number = availableParallelism(),
): FillWrites {
  let documents = 0;
  let beside: GenerationFilling | null = null;
  const begin = (): GenerationFilling | null =>
    // On one core a second thread has no effect: both share the core.
    cores > 1 && documents > FEW_DOCUMENTS ? (reads.fillBeside?.(generations) ?? null) : null;
  return {
    settled: async () => beside?.settled(),
    end: () => void beside?.end(),
    reads: {
      ...reads,
      write: async (writes, fence) => {
        if (beside !== null) return beside.write(writes, fence);
        await reads.write(writes, fence);
        for (const write of writes) documents += write.documents.length;
        beside ??= begin();
      },
      load: (generation, keys) => (beside ?? reads).load(generation, keys),
      indexGeneration: async (generation) => {
        await beside?.indexGeneration(generation);
        // The indexes that the thread built are found here.
        await reads.indexGeneration(generation);
      },
    },
  };
}
