import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadStore } from '#kernel/ports/read-store.port.js';

/** What processes of an installation share beside the read models: leases and small records. A count, never truth. */
export type SharedNotes = Pick<ReadStore, 'acquireLease' | 'releaseLease' | 'getRecord' | 'putRecord'>;

/** A process that ends in the middle of a turn keeps others from theirs for so long. */
const LASTS_MS = 10_000;
const LOOK_EVERY_MS = 10;

/** Work of a workspace that one request of all processes does at a time. */
export class WorkspaceTurns {
  /** Turns that requests of this process have. */
  private readonly taken = new Set<string>();

  constructor(readonly notes: SharedNotes) {}

  /**
   * Does the work as the only one that has this turn. null: another request has it, and still had it after `patienceMs` of
   * real time.
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
              // What could not be given back lapses.
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
