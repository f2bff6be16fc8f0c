/** The waits of a worker between two reads of its to-dos. */
export type Rest = {
  /** Ends the current wait, or the next one at its start. */
  readonly wake: () => void;
  readonly upTo: (ms: number) => Promise<void>;
};

export function rest(): Rest {
  let isWoken = false;
  let rouse = (): void => undefined;
  return {
    wake() {
      isWoken = true;
      rouse();
    },
    upTo(ms) {
      const restMs = isWoken ? 0 : ms;
      isWoken = false;
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, restMs);
        rouse = () => {
          clearTimeout(timer);
          // Not at once: with a store that answers without waiting, work would never yield to the event loop.
          setImmediate(resolve);
        };
      });
    },
  };
}
