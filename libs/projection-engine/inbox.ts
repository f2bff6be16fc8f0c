type Task = () => Promise<void>;

/**
 * Tasks for a loop, which runs them between two slices so that nothing folds meanwhile. Tasks posted after `close`
 * are refused.
 */
export type Inbox = {
  /**
   * Resolves with the result of the task; rejects with its error, or if the loop ended before it. A task that throws
   * ends the loop: the number of its writes is unknown, so the state in memory cannot be used further.
   */
  readonly post: <Result>(task: () => Promise<Result>) => Promise<Result>;
  /** Makes the next iteration of the loop throw. */
  readonly fail: (error: unknown) => void;
  readonly wake: () => void;
  /** Whether a task or a failure waits for the loop. */
  readonly isWaitedFor: () => boolean;
  /** Throws what `fail` or a task has ended the loop with. */
  readonly requireSound: () => void;
  /** Resolves when there is a task. */
  readonly arrival: () => Promise<void>;
  readonly runAll: () => Promise<void>;
  readonly close: (reason: Error) => void;
};

export function inbox(): Inbox {
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
    post: (task) =>
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
    fail: (error) => {
      failure ??= { error };
      wake();
    },
    wake,
    isWaitedFor: () => tasks.length > 0 || failure !== null,
    requireSound: () => {
      if (failure !== null) throw failure.error;
    },
    arrival: async () => {
      if (!isAwake) await new Promise<void>((resolve) => (rouse = resolve));
      isAwake = false;
    },
    runAll: async () => {
      for (;;) {
        if (failure !== null) throw failure.error;
        const task = tasks.shift();
        if (task === undefined) return;
        await task.run();
      }
    },
    close: (reason) => {
      closed = reason;
      for (const { refuse } of tasks.splice(0)) refuse(reason);
    },
  };
}
