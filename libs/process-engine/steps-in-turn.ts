import type { Step } from '#kernel/ports/tracing.port.js';

/**
 * Limits concurrent steps of one name to `atOnce`, in the order of the calls; other steps are not limited. For steps
 * that occupy the event loop: concurrent ones all work in each turn of the loop, and a request waits for all of them.
 */
export function stepsInTurn(step: Step, named: string, atOnce: number): Step {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  const begin = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  /** The slot goes to the longest waiter. */
  const end = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async (name, facts, work) => {
    if (name !== named) return step(name, facts, work);
    await begin();
    try {
      return await step(name, facts, work);
    } finally {
      end();
    }
  };
}
