/** Most commands of unknown outcome that are remembered. */
const MAX_DOUBTFUL = 1_000;

/** Commands of unknown outcome, with the revision after which their events would be. */
export class Doubts {
  private readonly after = new Map<string, bigint>();

  get size(): number {
    return this.after.size;
  }

  /** Notes that the outcome of these commands, appended after `revision`, is unknown. */
  add(commandIds: readonly string[], revision: bigint): void {
    for (const commandId of commandIds) this.after.set(commandId, revision);
    for (const commandId of this.after.keys()) {
      if (this.after.size <= MAX_DOUBTFUL) return;
      this.after.delete(commandId);
    }
  }

  settle(commandIds: readonly string[]): void {
    for (const commandId of commandIds) this.after.delete(commandId);
  }

  /** The revision after which to look for these commands; null if none of them has an unknown outcome. */
  earliestOf(commandIds: Iterable<string>): bigint | null {
    let earliest: bigint | null = null;
    for (const commandId of commandIds) {
      const after = this.after.get(commandId);
      if (after !== undefined && (earliest === null || after < earliest)) earliest = after;
    }
    return earliest;
  }
}
