import type { Step } from '#kernel/ports/tracing.port.js';

/**
 * Does at most so many steps of one name at the same time, in the order in which they were asked for; others as they come.
 * For steps whose work keeps the event loop: side by side all of them work in each of its turns, and a request waits for all.
 */
export function stepsInTurn(step: Step, named: string, atOnce: number): Step {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  const begin = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  /** The place goes to the one that waits longest. */
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
