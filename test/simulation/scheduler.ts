import type { Random } from './random.js';

/** The owner of a task: a simulated process, or the outside world. */
export type Owner = number;
export const WORLD: Owner = 0;

type Task = { readonly owner: Owner; readonly sender: Owner; readonly at: number; readonly run: () => void };

const realSetImmediate = globalThis.setImmediate;

/**
 * All possible next tasks, and the seed's choice among them. Code under simulation waits only for tasks of this
 * scheduler (its timers and its stores are here), so a seed determines one order of all awaits. Time is virtual: it
 * passes when no other task is left, or explicitly.
 */
export class Scheduler {
  /** Milliseconds since 1970. */
  now = Date.parse('2026-01-01T00:00:00.000Z');
  private owner: Owner = WORLD;
  private tasks: Task[] = [];

  constructor(private readonly random: Random) {}

  /** A task of the running owner; a turn later or after this many virtual milliseconds. */
  own(run: () => void, delayMs = 0): void {
    this.add({ owner: this.owner, sender: WORLD, at: this.now + delayMs, run });
  }

  /** A task of another owner. */
  give(owner: Owner, run: () => void, delayMs = 0): void {
    this.add({ owner, sender: WORLD, at: this.now + delayMs, run });
  }

  /** A message of the running owner to the world; it may arrive even if its sender is dead. */
  send(run: () => void, delayMs = 0): void {
    this.add({ owner: WORLD, sender: this.owner, at: this.now + delayMs, run });
  }

  /** The running owner, to give it an answer later. */
  get running(): Owner {
    return this.owner;
  }

  /** Kills a process: its tasks are removed, and about half of its sent messages. */
  kill(owner: Owner): void {
    this.tasks = this.tasks.filter(
      (task) => task.owner !== owner && (task.sender !== owner || this.random.happens(0.5)),
    );
  }

  /** Runs until no task is left. `between` is called before every step: the place for faults. */
  async run(between: () => void): Promise<void> {
    const { setImmediate, setTimeout } = globalThis;
    const { random } = Math;
    this.replaceGlobals();
    try {
      for (let task = this.next(between); task !== null; task = this.next(between)) {
        this.owner = task.owner;
        task.run();
        // Every settled promise is followed to its end, for the same owner.
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
