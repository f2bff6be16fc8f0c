import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Shorter than what a stop as a whole may take: the stores want to be closed in order after it. */
const PATIENCE_MS = 5_000;

/**
 * Closes a server: what is under way is finished, but not for ever. A request that has not ended after the
 * patience, such as an upload whose sender is slow or gone, loses its connection.
 */
export async function closeWithin(
  server: Pick<Server, 'closeAllConnections'>,
  close: () => PromiseLike<unknown>,
  patience?: () => Promise<unknown>,
): Promise<void> {
  const closed = new AbortController();
  const waited = patience?.() ?? delay(PATIENCE_MS, null, { signal: closed.signal, ref: false });
  const impatient = waited.then(() => {
    if (!closed.signal.aborted) server.closeAllConnections();
  });
  // an ended wait is no error
  impatient.catch(() => undefined);
  try {
    await close();
  } finally {
    closed.abort();
  }
}
