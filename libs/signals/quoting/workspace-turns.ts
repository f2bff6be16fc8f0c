import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadStore } from '#kernel/ports/read-store.port.js';

/**
 * Leases and small records that the processes of an installation share in the read store. They hold no data that
 * cannot be lost.
 */
export type SharedNotes = Pick<ReadStore, 'acquireLease' | 'releaseLease' | 'getRecord' | 'putRecord'>;

/** If a process ends during its turn, other processes wait this long. */
const LASTS_MS = 10_000;
const LOOK_EVERY_MS = 10;

/** Work of a workspace that only one request, across all processes, does at a time. */
export class WorkspaceTurns {
  /** Turns held by requests of this process. */
  private readonly taken = new Set<string>();

  constructor(readonly notes: SharedNotes) {}

  /**
   * Does the work while no other request has this turn. null: another request still had it after `patienceMs` of real
   * time.
   */
  async alone<Result>(
    turn: string,
    work: () => Promise<Result>,
    patienceMs = 0,
  ): Promise<{ readonly result: Result } | null> {
    const until = performance.now() + patienceMs;
    for (;;) {
      if (!this.taken.has(turn)) {
        this.taken.add(turn);
        try {
          const lease = await this.notes.acquireLease(turn, randomUUID(), LASTS_MS);
          if (lease !== null) {
            try {
              return { result: await work() };
            } finally {
              const fence = { lease: turn, epoch: lease.epoch };
              // A lease that could not be released expires.
              await this.notes.releaseLease(turn, fence).catch(() => undefined);
            }
          }
        } finally {
          this.taken.delete(turn);
        }
      }
      if (performance.now() >= until) return null;
      await pause(LOOK_EVERY_MS);
    }
  }
}
