/** Whether the write-ahead logs of embedded stores are checkpointed; every failure is reported once. */
export function logUpkeep(onTrouble: (trouble: string) => void) {
  const failing = new Map<string, string>();
  return {
    /** Called with the reason when checkpoints of a store's log begin to fail, and with null when they succeed again. */
    of:
      (store: string) =>
      (reason: string | null): void => {
        if (reason === null) {
          failing.delete(store);
          return;
        }
        const trouble = `${store}: its write-ahead log is not maintained: ${reason}`;
        failing.set(store, trouble);
        onTrouble(trouble);
      },
    /** A line for each store whose log cannot be checkpointed now. */
    degraded: (): readonly string[] => [...failing.values()],
  };
}
