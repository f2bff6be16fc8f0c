const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type OnSignal = (signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void) => unknown;

/** A process that a signal can end. */
export type Endable = {
  readonly pid: number;
  readonly once: OnSignal;
  readonly off: OnSignal;
  readonly kill: (pid: number, signal: NodeJS.Signals) => unknown;
};

/** Ctrl-C and the like end the command as usual, but do this first. Returns a function that leaves it out again. */
export function beforeSignalEnds(work: () => void, ending: Endable = process): () => void {
  const ignore = (): void => {
    for (const signal of ENDING_SIGNALS) ending.off(signal, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    ignore();
    work();
    ending.kill(ending.pid, signal);
  };
  for (const signal of ENDING_SIGNALS) ending.once(signal, end);
  return ignore;
}
