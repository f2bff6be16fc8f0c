/** The rests of a worker between two looks. */
export type Rest = {
  /** Something has happened: ends the rest, or the next one before it begins. */
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
          // Not at once: where a store answers without waiting, work would never give others their turn.
          setImmediate(resolve);
        };
      });
    },
  };
}
