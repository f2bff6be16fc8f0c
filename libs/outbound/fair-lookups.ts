import { LRUCache } from 'lru-cache';
import type { Resolve } from './checked-lookup.js';

/** The thread pool of Node.js looks at most two names up at a time, unless `UV_THREADPOOL_SIZE` says otherwise. */
const MOST_AT_ONCE = 2;
/** A name server that answers needs less. */
const SLOW_MS = 2_000;
/** Names of webhook endpoints and sources, and of redirects. */
const MOST_REMEMBERED = 10_000;

type Addresses = Awaited<ReturnType<Resolve>>;

/**
 * Looks names up such that names whose servers do not answer delay no others: the operating system takes many seconds
 * for such a name, and cannot be stopped. A name whose last look-up was slow waits until no other slow one is under
 * way, and until no other name waits. Each name is looked up once at a time, for all that ask for it. A look-up goes on
 * if the request that needed it has ended: a name is no longer slow when its server has answered.
 */
export function fairLookups(resolve: Resolve, nowMs: () => number = () => performance.now()): Resolve {
  const slow = new LRUCache<string, true>({ max: MOST_REMEMBERED });
  const running = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  const asked = new Map<string, Promise<Addresses>>();

  function next(): void {
    while (running.size < MOST_AT_ONCE) {
      const isSlowOneRunning = [...running].some(
        ([name, startedAtMs]) => slow.has(name) || nowMs() - startedAtMs > SLOW_MS,
      );
      const names = [...waiting.keys()];
      const name = names.find((one) => !slow.has(one)) ?? (isSlowOneRunning ? undefined : names[0]);
      if (name === undefined) return;
      const start = waiting.get(name);
      waiting.delete(name);
      running.set(name, nowMs());
      start?.();
    }
  }

  async function lookedUp(name: string): Promise<Addresses> {
    await new Promise<void>((start) => {
      waiting.set(name, start);
      next();
    });
    const startedAtMs = nowMs();
    try {
      return await resolve(name);
    } finally {
      if (nowMs() - startedAtMs > SLOW_MS) slow.set(name, true);
      else slow.delete(name);
      running.delete(name);
      asked.delete(name);
      next();
    }
  }

  return (name) => {
    const before = asked.get(name);
    if (before !== undefined) return before;
    const found = lookedUp(name);
    asked.set(name, found);
    return found;
  };
}
