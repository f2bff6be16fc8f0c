import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadStore } from '#kernel/ports/read-store.port.js';

/**
 * Leases and small records that the processes of an installation share in the read store. They hold no data that
 * cannot be lost.
 */
export type SharedNotes = Pick<ReadStore, 'acquireLease' | 'releaseLease' | 'getRecord' | 'putRecord'>;

/** If a process ends while it has a lock, other processes wait this long. */
const LASTS_MS = 10_000;
const LOOK_EVERY_MS = 10;

/** Work of a workspace that only one request, across all processes, does at a time. */
export class WorkspaceLocks {
  /** The locks that requests of this process have. */
  private readonly taken = new Set<string>();

  constructor(readonly notes: SharedNotes) {}

  /**
   * Does the work while no other request has the lock of this name. null: another request still had it after
   * `patienceMs` of real time.
   */
  async alone<Result>(
    name: string,
    work: () => Promise<Result>,
    patienceMs = 0,
  ): Promise<{ readonly result: Result } | null> {
    const until = performance.now() + patienceMs;
    for (;;) {
      if (!this.taken.has(name)) {
        this.taken.add(name);
        try {
          const lease = await this.notes.acquireLease(name, randomUUID(), LASTS_MS);
          if (lease !== null) {
            try {
              return { result: await work() };
            } finally {
              const fence = { lease: name, epoch: lease.epoch };
              // A lease that could not be released expires.
              await this.notes.releaseLease(name, fence).catch(() => undefined);
            }
          }
        } finally {
          this.taken.delete(name);
        }
      }
      if (performance.now() >= until) return null;
      await pause(LOOK_EVERY_MS);
    }
  }
}
