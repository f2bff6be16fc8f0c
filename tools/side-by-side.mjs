/**
 * Runs steps in their order, at most `atOnce` concurrently. A step with `after` begins when the step with that name
 * has ended. `take` runs a step.
 */
export async function sideBySide(steps, atOnce, take) {
  const waiting = [...steps];
  const running = new Set();
  const ended = new Set();

  const run = async (step) => {
    await take(step);
    ended.add(step.name);
  };
  const lane = async () => {
    while (waiting.length > 0) {
      const next = waiting.findIndex(({ after }) => after === undefined || ended.has(after));
      if (next === -1 && running.size === 0)
        throw new Error(`nothing ends before ${waiting.map(({ name }) => name).join(', ')}`);
      if (next === -1) {
        await Promise.race(running);
        continue;
      }
      const taken = run(waiting.splice(next, 1)[0]);
      running.add(taken);
      await taken;
      running.delete(taken);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
