/** Work that runs one turn at a time: on request, and at a set time. */
export type Turns = {
  /** Starts another turn; a request during a turn is done after it. */
  readonly wake: () => void;
  /** Starts another turn after this time, replacing the time set before. */
  readonly wakeIn: (ms: number) => void;
  /** Resolves when no turn is running; the caller has aborted the signal. */
  readonly ended: () => Promise<void>;
};

type Parts = {
  readonly turn: () => Promise<void>;
  /** Called with the error of a failed turn. */
  readonly onFailure: (error: unknown) => void;
  /** Calls back once after this time. Returns a function that cancels it. */
  readonly later: (ms: number, act: () => void) => () => void;
  /** No turn starts after it is aborted. */
  readonly signal: AbortSignal;
};

export function turns({ turn, onFailure, later, signal }: Parts): Turns {
  let isTurning = false;
  let isDue = false;
  let endTimer = (): void => undefined;
  let turning: Promise<void> = Promise.resolve();

  async function takeTurns(): Promise<void> {
    while (isDue && !signal.aborted) {
      isDue = false;
      await turn().catch(onFailure);
    }
    isTurning = false;
  }

  function wake(): void {
    isDue = true;
    if (isTurning || signal.aborted) return;
    isTurning = true;
    turning = takeTurns();
  }

  return {
    wake,
    wakeIn(ms) {
      endTimer();
      if (!signal.aborted) endTimer = later(ms, wake);
    },
    async ended() {
      endTimer();
      await turning;
    },
  };
}
