const waiting: (() => void)[] = [];
const firsts = new Set<() => void>();

const letOnePass = (): void => {
  for (const first of firsts) first();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letOnePass);
};

/**
 * Resolves in a later turn of the event loop, at most one call in each turn, in the order of the calls. Background work
 * that keeps the loop for some milliseconds waits here between its pieces: a request that arrives meanwhile waits for
 * one piece, not for one of each kind of work. Measured with `quietTurn`: p99 of a balance beside a round 60 ms instead of
 * 96 ms (docs/adr/0143).
 */
export const backgroundTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letOnePass);
  });

/** While commands are decided, in this thread or another one, events gather at most so long before they are projected. */
export const LONGEST_GATHERING_MS = 50;

let decidedAt = Number.NEGATIVE_INFINITY;

/** Call it when commands are decided: what can wait lets more of them gather. */
export function noteDecisions(): void {
  decidedAt = performance.now();
}

/** An append without an answer for so long counts no more: its process may have been ended by a simulation. */
const LONGEST_APPEND_MS = 100;
type Appending = { readonly since: number };
const appending = new Set<Appending>();
const onceAppended = new Set<() => void>();

/** Runs an append. Until it has its answer, what can wait lets its events arrive. */
export async function whileAppending<Result>(append: () => Promise<Result>): Promise<Result> {
  const own: Appending = { since: performance.now() };
  appending.add(own);
  try {
    return await append();
  } finally {
    appending.delete(own);
    if (appending.size === 0) for (const resolve of onceAppended) resolve();
  }
}

/** Whether an append waits for its answer. */
function isAppending(): boolean {
  const now = performance.now();
  for (const each of appending) {
    if (now - each.since < LONGEST_APPEND_MS) return true;
    appending.delete(each);
  }
  return false;
}

/** Resolves when no append waits for its answer, at the latest after so many milliseconds. */
function appended(mostMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      onceAppended.delete(done);
      resolve();
    };
    const timer = setTimeout(done, mostMs);
    onceAppended.add(done);
  });
}

/**
 * Resolves after a turn of the event loop in which no command was decided and no append waits for a server, at the
 * latest after so many milliseconds. Measured: p50 of a balance beside a round 22 and 31 ms, without it 45 and 51 ms
 * (docs/adr/0143); with events on a server 0.8 of the processor time of a command (docs/adr/0148).
 */
export async function quietTurn(mostMs: number): Promise<void> {
  const until = performance.now() + mostMs;
  for (;;) {
    const startedAt = performance.now();
    await backgroundTurn();
    const leftMs = until - performance.now();
    if (leftMs <= 0) return;
    if (isAppending()) await appended(Math.min(leftMs, LONGEST_APPEND_MS));
    else if (decidedAt < startedAt) return;
  }
}

/** Calls `first` before each piece of background work. Returns a function that ends this. */
export function beforeBackgroundWork(first: () => void): () => void {
  firsts.add(first);
  return () => void firsts.delete(first);
}
