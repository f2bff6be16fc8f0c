/**
 * The other workers that get a share. `members` asks for those that can project one; `leftOutMs` is the time for which a
 * worker that did not project its share gets no other one.
 */
export function shareWorkers(
  members: () => Promise<readonly string[]>,
  leftOutMs: number,
  now = () => performance.now(),
) {
  let seen: readonly string[] = [];
  let settled: readonly string[] = [];
  const leftOutUntilMs = new Map<string, number>();

  const isLeftOut = (worker: string): boolean => {
    const untilMs = leftOutUntilMs.get(worker);
    if (untilMs === undefined) return false;
    if (now() < untilMs) return true;
    leftOutUntilMs.delete(worker);
    return false;
  };

  return {
    look: async (): Promise<void> => {
      const found = await members();
      // Twice the same: workers that start together are one change.
      if (found.join() === seen.join()) settled = found;
      seen = found;
    },
    /** Whether this worker was there at the last look. */
    isThere: (worker: string): boolean => seen.includes(worker),
    /** The workers that get a share now. */
    able: (): readonly string[] => settled.filter((worker) => !isLeftOut(worker)),
    leaveOut: (worker: string): void => void leftOutUntilMs.set(worker, now() + leftOutMs),
  };
}
