/** Work that is done one turn at a time: whenever somebody asks for it, and when a time has come. */
export type Turns = {
  /** Another turn from now on; what is asked for during a turn is done behind it. */
  readonly wake: () => void;
  /** Another turn after so long, in the place of what was set before. */
  readonly wakeIn: (ms: number) => void;
  /** Resolves when no turn goes on; the caller has aborted the signal. */
  readonly ended: () => Promise<void>;
};

type Parts = {
  readonly turn: () => Promise<void>;
  /** Told of a turn that failed. */
  readonly onFailure: (error: unknown) => void;
  /** Calls back after so long, once; the function it gives ends that. */
  readonly later: (ms: number, act: () => void) => () => void;
  /** No turn begins once it is aborted. */
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
