import { randomUUID } from 'node:crypto';
import type {
  EventBatch,
  EventStore,
  NewEvent,
  Position,
  ReadAll,
  ReadStream,
  StoredEvent,
} from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { Refusal } from '#kernel/values/refusal.js';

/** A new event with a new id. */
export function newEvent(type = 'Noted', data: JsonObject = {}): NewEvent {
  return { id: randomUUID(), type, data, metadata: { workspaceId: 'w1' } };
}

export function newEvents(count: number, type = 'Noted'): readonly NewEvent[] {
  return Array.from({ length: count }, (_, index) => newEvent(type, { index }));
}

/** Every event of a stream, as one list. */
export async function eventsOf(
  store: EventStore,
  stream: string,
  read?: ReadStream,
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const batch of store.readStream(stream, read)) events.push(...batch);
  return events;
}

export async function batchesOf(batches: AsyncIterable<EventBatch>): Promise<readonly EventBatch[]> {
  const read: EventBatch[] = [];
  for await (const batch of batches) read.push(batch);
  return read;
}

/** Everything after a position, as one list. */
export async function everythingAfter(
  store: EventStore,
  after: Position,
  read: Omit<ReadAll, 'after'> = {},
): Promise<readonly StoredEvent[]> {
  return (await batchesOf(store.readAll({ ...read, after }))).flatMap(({ events }) => events);
}

export function idsOf(events: readonly NewEvent[]): readonly string[] {
  return events.map(({ id }) => id);
}

/** The error with which a call ends; null if it has none. */
export const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

/** The refusal of refused work. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await errorOf(work);
  if (error instanceof Refusal) return error;
  throw error ?? new Error('it was not refused');
}

/** Longer than any expected wait, even on a loaded machine. */
export const LONGEST_WAIT_MS = 60_000;

/** Fails instead of waiting without end. Also keeps the process alive meanwhile: a store's own timers do not. */
export async function soon<Result>(what: string, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`still waiting for ${what}`)), LONGEST_WAIT_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
