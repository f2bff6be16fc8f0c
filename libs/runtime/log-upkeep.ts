/** Whether the write-ahead logs of embedded stores are checkpointed; every failure is reported once. */
export type LogUpkeep = {
  /** Called with the reason when checkpoints of a store's log begin to fail, and with null when they succeed again. */
  readonly of: (store: string) => (reason: string | null) => void;
  /** A line for each store whose log cannot be checkpointed now. */
  readonly degraded: () => readonly string[];
};

export function logUpkeep(onTrouble: (trouble: string) => void): LogUpkeep {
  const failing = new Map<string, string>();
  return {
    of: (store) => (reason) => {
      if (reason === null) {
        failing.delete(store);
        return;
      }
      const trouble = `${store}: its write-ahead log is not maintained: ${reason}`;
      failing.set(store, trouble);
      onTrouble(trouble);
    },
    degraded: () => [...failing.values()],
  };
}
