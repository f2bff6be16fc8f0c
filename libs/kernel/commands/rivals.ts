/** Groups that check the end of the stream first, after another process wrote to it. */
const WARY_GROUPS = 100;

/** Whether other processes write to a stream: a check costs a read, a conflict costs a write. */
export class Rivals {
  private waryFor = 0;

  /** Another process has written. */
  seen(): void {
    this.waryFor = WARY_GROUPS;
  }

  /** Whether the next group should check first; each group asks once. */
  mayWrite(): boolean {
    if (this.waryFor === 0) return false;
    this.waryFor -= 1;
    return true;
  }
}
