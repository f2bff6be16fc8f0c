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
      return new Promise((resolve) => {
        const end = (): void => {
          isWoken = false;
          rouse = () => undefined;
          resolve();
        };
        const timer = setTimeout(end, isWoken ? 0 : ms);
        rouse = () => {
          rouse = () => undefined;
          clearTimeout(timer);
          // Not at once: with a store that answers without waiting, work would never yield to the event loop.
          setImmediate(end);
        };
      });
    },
  };
}
