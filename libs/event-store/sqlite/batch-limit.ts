const DEFAULT_EVENTS = 500;
const MOST_EVENTS = 2_000;
const TARGET_BYTES = 2 << 20;

/**
 * The number of events of the next read: as many as the caller wants, and fewer after a large batch, because a batch
 * is read and parsed in one piece on the event loop.
 */
export function batchLimit(wanted: number = DEFAULT_EVENTS) {
  if (!(wanted >= 1)) throw new RangeError(`a batch of ${wanted} events cannot be read`);
  const most = Math.min(Math.trunc(wanted), MOST_EVENTS);
  let limit = most;
  return {
    next: (): number => limit,
    learn: (events: number, bytes: number): void => {
      if (events > 0)
        limit = Math.max(1, Math.min(most, Math.floor((TARGET_BYTES * events) / Math.max(bytes, 1))));
    },
  };
}
