import { availableParallelism } from 'node:os';
import type { Generation, GenerationFilling, ReadStore } from '#kernel/ports/read-store.port.js';

/** So many documents are written in less time than a thread takes to start. */
const FEW_DOCUMENTS = 5_000;

/** A read store for who fills generations alone: once they are large it writes beside the fold, where it can. */
export type FillWrites = {
  readonly reads: ReadStore;
  /** Everything written is in the store. Rejects with what went wrong beside. */
  readonly settled: () => Promise<void>;
  /** Nobody needs to wait for what is still to be finished. */
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
    // On one core a second thread only takes turns with the first.
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
        // What was indexed beside is found to be so.
        await reads.indexGeneration(generation);
      },
    },
  };
}
