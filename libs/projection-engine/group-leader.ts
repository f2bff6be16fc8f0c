import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore } from '#kernel/event-store.port.js';
import { LeaseLost, type ReadStore } from '#kernel/read-store.port.js';
import type { CacheBounds } from './document-cache.js';
import { holdLease, type HeldLease, type LeaseTiming } from './held-lease.js';
import { leaderSession, type LeaderSession } from './leader-session.js';
import type { Pace } from './project-batch.js';
import type { ProjectionGroup } from './registry.js';
import type { Decode } from './slice.js';

export type GroupLeaderOptions = {
  readonly group: ProjectionGroup;
  readonly events: EventStore;
  readonly reads: ReadStore;
  readonly decode: Decode;
  readonly holder: string;
  readonly leaseTiming: LeaseTiming;
  /** How often a process without the lease asks for it, and the one with it looks for requests. */
  readonly lookEveryMs: number;
  readonly pace: Pace;
  readonly cacheBounds: CacheBounds;
  readonly onProgress: () => void;
  readonly onFailure: (groupName: string, error: unknown) => void;
};

/** A process's candidacy for leading a group: it takes the lease whenever it can, and leads until stopped. */
export type GroupLeader = {
  readonly start: () => void;
  /** Finishes the slice, writes checkpoints, gives the lease back. */
  readonly stop: () => Promise<void>;
  /** The term under way; null while another process leads or nobody does. */
  readonly session: () => LeaderSession | null;
};

/** The lease of a group. */
export function groupLease(groupName: string): string {
  return `projections:${groupName}`;
}

export function groupLeader(options: GroupLeaderOptions): GroupLeader {
  const { group, reads, lookEveryMs } = options;
  const stopping = new AbortController();
  let current: LeaderSession | null = null;
  let running: Promise<void> | null = null;

  const lead = async (lease: HeldLease): Promise<void> => {
    const session = leaderSession({
      group,
      bench: { events: options.events, reads, decode: options.decode, fence: lease.fence },
      pace: options.pace,
      cacheBounds: options.cacheBounds,
      onProgress: options.onProgress,
    });
    lease.onLost(() => session.fail(new LeaseLost(groupLease(group.name))));
    stopping.signal.addEventListener('abort', session.stop, { once: true });
    if (stopping.signal.aborted) session.stop();
    let looking: Promise<void> = Promise.resolve();
    const looks = setInterval(() => {
      looking = session.look().catch((error: unknown) => session.fail(error));
    }, lookEveryMs);
    looks.unref();
    try {
      current = session;
      await session.run();
    } finally {
      current = null;
      clearInterval(looks);
      stopping.signal.removeEventListener('abort', session.stop);
      await looking;
    }
  };

  const candidate = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const lease = await holdLease(reads, groupLease(group.name), options.holder, options.leaseTiming);
        if (lease !== null) {
          try {
            await lead(lease);
          } finally {
            await lease.release();
          }
        }
      } catch (error) {
        options.onFailure(group.name, error);
      }
      await pause(lookEveryMs, null, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  return {
    start: () => {
      running ??= candidate();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
    session: () => current,
  };
}
