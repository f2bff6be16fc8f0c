import type { StoredEvent } from '#kernel/ports/event-store.port.js';

/** An event of a log. Its id names its place in its stream. */
export const sampleEvent = (
  stream: string,
  revision: number,
  rest: Partial<StoredEvent> = {},
): StoredEvent => ({
  id: `${stream}@${revision}`,
  type: 'Noted',
  data: {},
  metadata: {},
  stream,
  revision: BigInt(revision),
  position: '',
  ...rest,
});

/** A log of these events, as it is read. */
export async function* logOf(...events: readonly StoredEvent[]): AsyncGenerator<StoredEvent, undefined> {
  yield* events;
  return undefined;
}
