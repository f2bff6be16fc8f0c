import { setMaxListeners } from 'node:events';

/** A signal that follows others. Call `end` when nothing waits for it any more. */
export type FirstAbort = { readonly signal: AbortSignal; readonly end: () => void };

/**
 * A signal that aborts with the first of these, with its reason; at once if one has aborted already. Unlike that of
 * `AbortSignal.any`, it leaves nothing behind after `end`: Node 20 keeps an entry in each source for as long as the source
 * lives, 80 bytes for each item of work.
 */
export function firstAbort(...sources: readonly AbortSignal[]): FirstAbort {
  const first = new AbortController();
  const end = (): void => {
    for (const source of sources) source.removeEventListener('abort', abort);
  };
  const abort = (): void => {
    end();
    first.abort(sources.find(({ aborted }) => aborted)?.reason);
  };
  // A worker does more than ten items at a time: Node would report a leak, and every item removes its listener.
  setMaxListeners(0, ...sources);
  for (const source of sources) source.addEventListener('abort', abort);
  if (sources.some(({ aborted }) => aborted)) abort();
  return { signal: first.signal, end };
}
