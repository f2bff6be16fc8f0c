import { backoffMs, type RetryPolicy } from '#kernel/commands/retry.js';
import { LANES, type Lane } from './lanes.js';
import type { Process } from './process.js';

/** An item that is acted on. */
export type WorkItem = {
  readonly process: Process;
  readonly workspaceId: number;
  readonly partition: number;
  readonly done: Promise<void>;
};

/** What one worker acts on, and what failed there and waits for its next try. */
export type WorkInHand = {
  readonly begin: (id: string, item: WorkItem) => void;
  readonly end: (id: string) => void;
  readonly succeeded: (id: string) => void;
  /** When it may be tried again, in real time: later after each failure. */
  readonly failed: (id: string) => number;
  /** Forgets failures whose next try is long due: somebody else did it, or it is gone. */
  readonly forgetOld: () => void;
  /** Neither acted on nor waiting for its next try. */
  readonly isFree: (id: string) => boolean;
  /** Whether a slot is free for another item of this process, in its lane and among its own. */
  readonly hasRoom: (process: Process) => boolean;
  readonly ofProcess: (process: Process) => number;
  readonly ofWorkspace: (workspaceId: number, lane: Lane) => number;
  readonly ofPartition: (partition: number) => number;
  /** How many items of a process are acted on or have failed. */
  readonly notFree: (process: Process) => number;
  /** The ends of all that is acted on. */
  readonly ends: () => readonly Promise<void>[];
};

/** An item that was not asked for so long after its time is not due any more. */
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
    hasRoom: (process) =>
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
