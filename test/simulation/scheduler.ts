import type { Random } from './random.js';

/** Who goes on when a task runs: a simulated process, or the world outside of all of them. */
export type Owner = number;
export const WORLD: Owner = 0;

type Task = { readonly owner: Owner; readonly sender: Owner; readonly at: number; readonly run: () => void };

const realSetImmediate = globalThis.setImmediate;

/**
 * Everything that could happen next, and the seed's choice among it. Code under simulation waits only for
 * tasks of this scheduler (its timers and its stores are here), so a seed is one order of all awaits. Time is
 * virtual: it passes when nothing else can happen, and where the world says so.
 */
export class Scheduler {
  /** Milliseconds since 1970. */
  now = Date.parse('2026-01-01T00:00:00.000Z');
  private owner: Owner = WORLD;
  private tasks: Task[] = [];

  constructor(private readonly random: Random) {}

  /** Something that the running owner will do; a turn later or after so many virtual milliseconds. */
  own(run: () => void, delayMs = 0): void {
    this.add({ owner: this.owner, sender: WORLD, at: this.now + delayMs, run });
  }

  /** Something that another owner will do. */
  give(owner: Owner, run: () => void, delayMs = 0): void {
    this.add({ owner, sender: WORLD, at: this.now + delayMs, run });
  }

  /** A message of the running owner on its way to the world; it may arrive though its sender is dead. */
  send(run: () => void, delayMs = 0): void {
    this.add({ owner: WORLD, sender: this.owner, at: this.now + delayMs, run });
  }

  /** The owner that is running, to give it an answer later. */
  get running(): Owner {
    return this.owner;
  }

  /** A process ends here: what it would have done is gone, and about half of what it had sent. */
  kill(owner: Owner): void {
    this.tasks = this.tasks.filter(
      (task) => task.owner !== owner && (task.sender !== owner || this.random.happens(0.5)),
    );
  }

  /** Runs until nothing is left to happen. `between` is asked before every step: the place for disasters. */
  async run(between: () => void): Promise<void> {
    const { setImmediate, setTimeout } = globalThis;
    const { random } = Math;
    this.replaceGlobals();
    try {
      for (let task = this.next(between); task !== null; task = this.next(between)) {
        this.owner = task.owner;
        task.run();
        // Every promise that is settled now is followed to its end, under the same owner.
        await new Promise((resolve) => realSetImmediate(resolve));
        this.owner = WORLD;
      }
    } finally {
      Object.assign(globalThis, { setImmediate, setTimeout });
      Math.random = random;
    }
  }

  private next(between: () => void): Task | null {
    between();
    if (this.tasks.length === 0) return null;
    const ready = this.tasks.flatMap(({ at }, index) => (at <= this.now ? [index] : []));
    if (ready.length === 0) {
      this.now = Math.min(...this.tasks.map(({ at }) => at));
      return this.next(() => {});
    }
    const [task] = this.tasks.splice(this.random.oneOf(ready), 1);
    return task ?? null;
  }

  private add(task: Task): void {
    this.tasks.push(task);
  }

  private replaceGlobals(): void {
    Object.assign(globalThis, {
      setImmediate: (run: () => void) => this.own(run),
      setTimeout: (run: () => void, ms: number) => this.own(run, ms),
    });
    Math.random = () => this.random.next();
  }
}
