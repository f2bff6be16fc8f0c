type Beat = { readonly acts: Set<() => void>; readonly timer: NodeJS.Timeout };

const beats = new Map<number, Beat>();

/**
 * Calls back every `ms`, together with whoever else of this process wants the same: an idle process is woken once for
 * all of them. The first time comes within `ms`. Keeps no process alive; what it gives ends it.
 */
export function everyBeat(ms: number, act: () => void): () => void {
  const beat = beats.get(ms) ?? startBeat(ms);
  // Another function each time, or who asks twice would be one.
  const own = (): void => act();
  beat.acts.add(own);
  return () => {
    if (!beat.acts.delete(own) || beat.acts.size > 0) return;
    clearInterval(beat.timer);
    beats.delete(ms);
  };
}

/** Resolves at the next beat of `ms`, or once the signal aborts. */
export function untilBeat(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = everyBeat(ms, () => goOn());
    const goOn = (): void => {
      end();
      signal.removeEventListener('abort', goOn);
      resolve();
    };
    signal.addEventListener('abort', goOn, { once: true });
    if (signal.aborted) goOn();
  });
}

function startBeat(ms: number): Beat {
  const acts = new Set<() => void>();
  const timer = setInterval(() => {
    for (const act of acts) act();
  }, ms).unref();
  const beat = { acts, timer };
  beats.set(ms, beat);
  return beat;
}
