const PARTITION_BITS = 6;

/** The number of partitions of all workspaces. */
export const PARTITIONS = 2 ** PARTITION_BITS;

/** 2^32 divided by the golden ratio: any number of its multiples divides the range evenly. */
const GOLDEN = 0x9e3779b1;

/**
 * The partition of a workspace, from 0; it is the same in every process and never changes. Workspaces have consecutive
 * ids. A worker holds a range of partitions, and ranges of the same length have the same number of workspaces, within
 * one or two.
 */
export function partitionOf(workspaceId: number): number {
  return Math.imul(workspaceId, GOLDEN) >>> (32 - PARTITION_BITS);
}

/** Consecutive partitions. */
export type PartitionRange = { readonly from: number; readonly size: number };

/** The range of partitions of a worker. The ranges of all workers cover all partitions without overlap. */
export function shareOf(rank: number, workers: number): PartitionRange {
  const size = Math.floor(PARTITIONS / workers);
  const larger = PARTITIONS % workers;
  return { from: rank * size + Math.min(rank, larger), size: rank < larger ? size + 1 : size };
}
