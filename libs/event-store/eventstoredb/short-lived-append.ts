import { StoreUnavailable, WrongExpectedRevision, type Appended } from '#kernel/ports/event-store.port.js';
import { SHORT_LIVED_MS } from '#kernel/ports/short-lived.js';
import { failureOf } from './client-errors.js';
import type { ServerConnection } from './connection.js';
import type { FiniteRead } from './finite-read.js';
import type { SerializedServerAppend } from './serialized-append.js';

/**
 * The first append to a short-lived stream. The retention time is written before it, so that a process that dies
 * between the two leaves nothing that stays. A stream whose events have all expired is new to us, and its revisions
 * continue on the server. Rejects as `EventStore.append` does.
 */
export async function appendShortLived(
  connection: ServerConnection,
  read: FiniteRead,
  append: SerializedServerAppend,
  durably: (append: SerializedServerAppend) => Promise<Appended>,
): Promise<Appended> {
  const { stream } = append;
  await limitAge(connection, stream);
  try {
    return await durably(append);
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision) || error.actual === 'no-stream') throw error;
    const left = await read.streamPage({ stream, from: 'end', direction: 'backwards', count: 1 });
    if (left.length > 0) throw error;
    return durably({ ...append, expected: error.actual });
  }
}

async function limitAge(connection: ServerConnection, stream: string): Promise<void> {
  const line = connection.line();
  try {
    await line.client.setStreamMetadata(stream, { maxAge: SHORT_LIVED_MS / 1_000 });
    connection.worked();
  } catch (error) {
    connection.failed(line, error);
    const { message } = failureOf(error);
    throw new StoreUnavailable(
      `the event store does not accept the maximum age of ${stream} (${message})`,
      undefined,
      {
        cause: error,
      },
    );
  }
}
