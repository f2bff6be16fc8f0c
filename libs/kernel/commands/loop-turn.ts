/**
 * The end of a turn of the event loop, in the order in which one process works in it: first all that came in the turn
 * is decided, then all that was decided is written. Who decides and who writes share one, and each process has its
 * own.
 */
export type LoopTurn = {
  /** Resolves at the end of the running turn, together with everything else that is to be decided in it. */
  readonly toDecide: () => Promise<void>;
  /**
   * Resolves in the same turn, when everything that is decided in it has gone on as far as it can without waiting for
   * something else; where nothing is to be decided, at the end of the turn.
   */
  readonly toWrite: () => Promise<void>;
};

/** Another one than everybody else's. */
export function loopTurn(): LoopTurn {
  let deciding: (() => void)[] = [];
  let writing: (() => void)[] = [];
  /** Turns in which is decided and not yet written. */
  let turnsToWrite = 0;

  const decideAll = (): void => {
    const all = deciding;
    deciding = [];
    for (const decide of all) decide();
  };
  const writeAll = (): void => {
    turnsToWrite -= 1;
    const all = writing;
    writing = [];
    for (const write of all) write();
  };

  return {
    toDecide: () =>
      new Promise((resolve) => {
        if (deciding.length === 0) {
          turnsToWrite += 1;
          setImmediate(decideAll);
          // The loop runs both in one go, and between them all that the first has set off in memory.
          setImmediate(writeAll);
        }
        deciding.push(resolve);
      }),
    toWrite: () =>
      new Promise((resolve) => {
        if (turnsToWrite > 0) writing.push(resolve);
        else setImmediate(resolve);
      }),
  };
}
