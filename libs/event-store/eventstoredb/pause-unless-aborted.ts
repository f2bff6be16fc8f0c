import { setTimeout } from 'node:timers/promises';

/** Waits, and ends early without an error if the signal aborts. It does not keep the process alive. */
export async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, null, { signal, ref: false }).catch(() => undefined);
}
