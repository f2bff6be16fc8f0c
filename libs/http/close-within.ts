import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Shorter than the limit of a whole stop: the stores must be closed in order afterwards. */
const PATIENCE_MS = 5_000;

/**
 * Closes a server: running requests are finished within a time limit. A request that has not ended by then, such as
 * an upload of a slow sender, loses its connection.
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
