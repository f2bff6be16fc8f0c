import { randomUUID } from 'node:crypto';
import type { Clock } from '../ports/clock.js';
import { WrongExpectedRevision, type EventStore, type StoredEvent } from '../ports/event-store.port.js';
import { Type } from '../values/schema.js';
import { decodeEvent, encodeEvent } from '../events/event-codec.js';
import { event } from '../events/event.js';

/** Every log has one such event in a separate stream, which backups and copies include. */
export const LOG_STREAM = 'log';

export const logEvents = {
  LogIdentified: event(Type.Object({ logId: Type.String({ pattern: '^[0-9a-f-]{36}$' }) })),
};

/** The identity of a log; null if the log has none yet. */
export async function logIdentity(events: Pick<EventStore, 'readStream'>): Promise<string | null> {
  for await (const [first] of events.readStream(LOG_STREAM, { maxCount: 1 })) {
    const logId = first === undefined ? undefined : decodeEvent(logEvents, first)?.data['logId'];
    if (typeof logId !== 'string') throw new Error(`the stream ${LOG_STREAM} holds a foreign event`);
    return logId;
  }
  return null;
}

/**
 * The first event of a log, null for an empty one. Its id becomes the identity of a log without one, so that every
 * earlier backup of a log gets the same identity.
 */
export async function firstEvent(events: Pick<EventStore, 'readAll'>): Promise<StoredEvent | null> {
  for await (const batch of events.readAll({ batchSize: 1 })) {
    const [first] = batch.events;
    if (first !== undefined) return first;
  }
  return null;
}

/** Writes the identity of a log, a new one for an empty log, and returns the identity that the log then has. */
export async function identifyLog(events: EventStore, clock: Clock): Promise<string> {
  const known = await logIdentity(events);
  if (known !== null) return known;
  const id = randomUUID();
  const logId = (await firstEvent(events))?.id ?? id;
  const metadata = {
    actorKind: 'system',
    actorId: 'start',
    commandId: id,
    correlationId: '',
    recordedAt: clock.now().toISOString(),
  };
  const identified = encodeEvent(logEvents, { type: 'LogIdentified', data: { logId } }, id, metadata);
  try {
    await events.append(LOG_STREAM, 'no-stream', [identified]);
    return logId;
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    // Another process that started at the same moment has written the identity; its identity counts.
    return identifyLog(events, clock);
  }
}
