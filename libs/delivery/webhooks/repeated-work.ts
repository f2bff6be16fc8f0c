type Parts = {
  readonly work: () => Promise<void>;
  /** Called with the error if the work failed. */
  readonly onFailure: (error: unknown) => void;
  /** Calls back once after this time. Returns a function that cancels it. */
  readonly later: (ms: number, act: () => void) => () => void;
  /** The work does not start after it is aborted. */
  readonly signal: AbortSignal;
};

/** Work that is repeated, on request and at a set time, but never concurrently. */
export function repeatedWork({ work, onFailure, later, signal }: Parts) {
  let isRunning = false;
  let isDue = false;
  let endTimer = (): void => undefined;
  let running: Promise<void> = Promise.resolve();

  async function runWhileDue(): Promise<void> {
    while (isDue && !signal.aborted) {
      isDue = false;
      await work().catch(onFailure);
    }
    isRunning = false;
  }

  function wake(): void {
    isDue = true;
    if (isRunning || signal.aborted) return;
    isRunning = true;
    running = runWhileDue();
  }

  return {
    /** Starts the work; if it is running, it is repeated afterwards. */
    wake,
    /** Starts the work after this time, which replaces the time set before. */
    wakeIn(ms: number): void {
      endTimer();
      if (!signal.aborted) endTimer = later(ms, wake);
    },
    /** Resolves when the work is not running; the caller has aborted the signal. */
    async ended(): Promise<void> {
      endTimer();
      await running;
    },
  };
}
