import { randomUUID } from 'node:crypto';
import { StoreUnavailable, WrongExpectedRevision, type Appended } from '#kernel/ports/event-store.port.js';
import { SHORT_LIVED_MS } from '#kernel/ports/short-lived.js';
import { attemptOnce } from './append.js';
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
  answerMs: number,
  durably: (append: SerializedServerAppend) => Promise<Appended>,
): Promise<Appended> {
  const { stream } = append;
  await limitAge(connection, stream, answerMs);
  try {
    return await durably(append);
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision) || error.actual === 'no-stream') throw error;
    const left = await read.streamPage({ stream, from: 'end', direction: 'backwards', count: 1 });
    if (left.length > 0) throw error;
    return durably({ ...append, expected: error.actual });
  }
}

/**
 * Writes the retention time of a stream. Any revision of the metadata is accepted, because each of our programs writes the
 * same content.
 */
async function limitAge(connection: ServerConnection, stream: string, answerMs: number): Promise<void> {
  const data = Buffer.from(JSON.stringify({ $maxAge: SHORT_LIVED_MS / 1_000 }));
  const retention = { id: randomUUID(), type: '$metadata', data, metadata: Buffer.alloc(0) };
  const outcome = await attemptOnce(
    connection,
    { stream: `$$${stream}`, expected: 'any', events: [retention], bytes: data.length },
    answerMs,
  );
  if (outcome.kind === 'written') return;
  if (outcome.kind === 'refused') throw outcome.error;
  const cause = outcome.kind === 'again' ? outcome.cause : new Error('WrongExpectedVersion');
  throw new StoreUnavailable(
    `the event store does not accept the maximum age of ${stream} (${failureOf(cause).message})`,
    'nothing-written',
    { cause },
  );
}
