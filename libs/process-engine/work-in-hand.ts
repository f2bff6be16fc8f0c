import { backoffMs, type RetryPolicy } from '#kernel/commands/retry.js';
import { LANES, type Lane } from './lanes.js';
import type { Process } from './process.js';

/** A running item. */
export type WorkItem = {
  readonly process: Process;
  readonly workspaceId: number;
  readonly partition: number;
  readonly done: Promise<void>;
};

/** The running items of one worker, and its failed items that wait for a retry. */
export type WorkInHand = {
  readonly begin: (id: string, item: WorkItem) => void;
  readonly end: (id: string) => void;
  readonly succeeded: (id: string) => void;
  /** When the item may be retried, in real time; the delay grows with each failure. */
  readonly failed: (id: string) => number;
  /** Forgets failures whose retry is long overdue: another worker did the item, or the item no longer exists. */
  readonly forgetOld: () => void;
  /** Neither running nor waiting for a retry. */
  readonly isFree: (id: string) => boolean;
  /** Whether another item of this process may start: its lane and its own limit have a free slot. */
  readonly hasLane: (process: Process) => boolean;
  readonly ofProcess: (process: Process) => number;
  readonly ofWorkspace: (workspaceId: number, lane: Lane) => number;
  readonly ofPartition: (partition: number) => number;
  /** The number of running and failed items of a process. */
  readonly notFree: (process: Process) => number;
  /** Promises that settle when the running items end. */
  readonly ends: () => readonly Promise<void>[];
};

/** A failed item that is not requested within this time after its retry time is no longer due. */
const FORGET_AFTER_MS = 60_000;
const RETRY: RetryPolicy = { tries: Infinity, firstDelayMs: 100, longestDelayMs: 30_000 };

export function workInHand(nowMs: () => number): WorkInHand {
  const items = new Map<string, WorkItem>();
  const failures = new Map<string, { readonly times: number; readonly retryAtMs: number }>();
  const count = (isSuch: (item: WorkItem) => boolean): number => {
    let found = 0;
    for (const item of items.values()) if (isSuch(item)) found += 1;
    return found;
  };
  const ofProcess = (process: Process): number => count((item) => item.process === process);
  return {
    begin: (id, item) => void items.set(id, item),
    end: (id) => void items.delete(id),
    succeeded: (id) => void failures.delete(id),
    failed(id) {
      const times = (failures.get(id)?.times ?? 0) + 1;
      const retryAtMs = nowMs() + backoffMs(RETRY, times);
      failures.set(id, { times, retryAtMs });
      return retryAtMs;
    },
    forgetOld() {
      for (const [id, { retryAtMs }] of failures)
        if (!items.has(id) && retryAtMs + FORGET_AFTER_MS < nowMs()) failures.delete(id);
    },
    isFree: (id) => !items.has(id) && (failures.get(id)?.retryAtMs ?? Number.NEGATIVE_INFINITY) <= nowMs(),
    hasLane: (process) =>
      ofProcess(process) < process.atOnce &&
      count((item) => item.process.lane === process.lane) < LANES[process.lane].slots,
    ofProcess,
    ofWorkspace: (workspaceId, lane) =>
      count((item) => item.process.lane === lane && item.workspaceId === workspaceId),
    ofPartition: (partition) => count((item) => item.partition === partition),
    notFree: ({ name }) =>
      [...items.keys(), ...failures.keys()].filter((id) => id.startsWith(`${name}:`)).length,
    ends: () => [...items.values()].map(({ done }) => done),
  };
}
