/** Most commands of unknown outcome that are remembered. */
const MAX_DOUBTFUL = 1_000;
/** Processes send a command again at least every 30 s; the command of a request without a key never comes back. */
const FORGET_AFTER_MS = 10 * 60_000;

type Doubt = { readonly after: bigint; readonly untilMs: number };

/**
 * Commands of unknown outcome, with the revision after which their events would be. A command that is not sent again within
 * `FORGET_AFTER_MS` of its last attempt is forgotten.
 */
export class Doubts {
  /** In the order of their ends. */
  private readonly known = new Map<string, Doubt>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** True if a command may come back whose outcome is unknown. */
  areLeft(): boolean {
    if (this.known.size === 0) return false;
    const now = this.nowMs();
    for (const [commandId, { untilMs }] of this.known) {
      if (untilMs > now) break;
      this.known.delete(commandId);
    }
    return this.known.size > 0;
  }

  /** Notes that the outcome of these commands, appended after `revision`, is unknown. */
  add(commandIds: readonly string[], revision: bigint): void {
    for (const commandId of commandIds) this.note(commandId, revision);
    for (const commandId of this.known.keys()) {
      if (this.known.size <= MAX_DOUBTFUL) return;
      this.known.delete(commandId);
    }
  }

  settle(commandIds: readonly string[]): void {
    for (const commandId of commandIds) this.known.delete(commandId);
  }

  /**
   * The revision after which to look for these commands, which were sent again; null if none of them has an unknown
   * outcome.
   */
  earliestOf(commandIds: Iterable<string>): bigint | null {
    if (!this.areLeft()) return null;
    let earliest: bigint | null = null;
    for (const commandId of commandIds) {
      const doubt = this.known.get(commandId);
      if (doubt === undefined) continue;
      // As long as the store is away, the command is sent again and again.
      this.note(commandId, doubt.after);
      if (earliest === null || doubt.after < earliest) earliest = doubt.after;
    }
    return earliest;
  }

  private note(commandId: string, after: bigint): void {
    this.known.delete(commandId);
    this.known.set(commandId, { after, untilMs: this.nowMs() + FORGET_AFTER_MS });
  }
}
