import { soon } from './event-stores.js';

/**
 * The life of a process in a test. It dies at a given point: each call through its ports is two points, one before
 * its effect and one after it. After its death no awaited result comes, and it does nothing more.
 */
export type Life = {
  readonly step: <Result>(call: () => Promise<Result>) => Promise<Result>;
  /** Resolves when it dies. */
  readonly death: Promise<'died'>;
  /** Ends it now. */
  readonly kill: () => void;
  /** Points passed so far. */
  readonly points: () => number;
};

export function lifeUntil(fatalPoint: number): Life {
  let points = 0;
  let dead = false;
  let die = (_: 'died'): void => undefined;
  const death = new Promise<'died'>((resolve) => (die = resolve));
  const never = new Promise<never>(() => undefined);
  const passes = (): boolean => {
    if (dead) return false;
    points += 1;
    if (points !== fatalPoint) return true;
    dead = true;
    die('died');
    return false;
  };
  return {
    death,
    kill: () => {
      if (dead) return;
      dead = true;
      die('died');
    },
    points: () => points,
    async step(call) {
      if (!passes()) return never;
      const result = await call();
      return passes() ? result : never;
    },
  };
}

/** How a process ended, and how many points it passed. */
export type Lived = { readonly died: boolean; readonly points: number };

/** Lets a process do something until it is done or dies at a point. */
export async function untilDeath(
  fatalPoint: number,
  doing: (life: Life) => Promise<unknown>,
): Promise<Lived> {
  const life = lifeUntil(fatalPoint);
  const done = doing(life).then(() => 'done' as const);
  // Work of a dead process may fail: nothing waits for it.
  done.catch(() => undefined);
  const end = await soon(`a process that dies at ${fatalPoint}`, Promise.race([done, life.death]));
  return { died: end === 'died', points: life.points() };
}

/** A port of a process that may be killed: its methods return promises; the named ones return batches. */
export function mortal<Port extends object>(
  port: Port,
  life: Life,
  inBatches: readonly (keyof Port)[] = [],
): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (!inBatches.some((method) => method === name)) {
        return (...args: unknown[]) => life.step(async () => Reflect.apply(member, target, args));
      }
      return async function* (...args: unknown[]) {
        const batches: unknown[] = await life.step(async () => {
          const all: unknown[] = [];
          for await (const batch of Reflect.apply(member, target, args)) all.push(batch);
          return all;
        });
        yield* batches;
      };
    },
  });
}
