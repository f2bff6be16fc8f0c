type Task = () => Promise<void>;

export type Inbox = ReturnType<typeof inbox>;

/**
 * Tasks for a loop, which runs them between two slices so that nothing folds meanwhile. Tasks posted after `close`
 * are refused.
 */
export function inbox() {
  const tasks: { readonly run: Task; readonly refuse: (reason: Error) => void }[] = [];
  let failure: { readonly error: unknown } | null = null;
  let closed: Error | null = null;
  let isAwake = false;
  let rouse = (): void => undefined;
  const wake = (): void => {
    isAwake = true;
    rouse();
  };
  return {
    /**
     * Resolves with the result of the task; rejects with its error, or if the loop ended before it. A task that throws
     * ends the loop: the number of its writes is unknown, so the state in memory cannot be used further.
     */
    post: <Result>(task: () => Promise<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        if (closed !== null) {
          reject(closed);
          return;
        }
        const run = async (): Promise<void> => {
          try {
            resolve(await task());
          } catch (error) {
            failure ??= { error };
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        };
        tasks.push({ run, refuse: reject });
        wake();
      }),
    /** Makes the next iteration of the loop throw. */
    fail: (error: unknown): void => {
      failure ??= { error };
      wake();
    },
    wake,
    /** Whether a task or a failure waits for the loop. */
    isWaitedFor: (): boolean => tasks.length > 0 || failure !== null,
    /** Throws what `fail` or a task has ended the loop with. */
    requireSound: (): void => {
      if (failure !== null) throw failure.error;
    },
    /** Resolves when there is a task. */
    arrival: async (): Promise<void> => {
      if (!isAwake) await new Promise<void>((resolve) => (rouse = resolve));
      isAwake = false;
    },
    runAll: async (): Promise<void> => {
      for (;;) {
        if (failure !== null) throw failure.error;
        const task = tasks.shift();
        if (task === undefined) return;
        await task.run();
      }
    },
    close: (reason: Error): void => {
      closed = reason;
      for (const { refuse } of tasks.splice(0)) refuse(reason);
    },
  };
}
