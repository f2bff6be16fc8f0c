import {
  MAX_APPEND_BYTES,
  type NewEvent,
  type StoredEvent,
  type StreamAppend,
} from '#kernel/ports/event-store.port.js';
import type { WaveLimits } from './copy-ends.js';

/** Appends that are sent to the destination together. */
export type Wave = {
  /** Adds an event; false if the wave has to be written first. An empty wave takes any event. */
  readonly take: (event: StoredEvent) => boolean;
  readonly events: () => number;
  /** Returns the collected appends and empties the wave. */
  readonly flush: () => readonly StreamAppend[];
};

type Growing = StreamAppend & {
  readonly events: NewEvent[];
  readonly ids: Set<string>;
  last: bigint;
  bytes: number;
};

/** Puts consecutive events of one stream into one append, within the limits of the destination. */
export function collectWave(limits: WaveLimits): Wave {
  let appends: Growing[] = [];
  let bytes = 0;
  let count = 0;

  const extended = (event: StoredEvent, size: number): boolean => {
    const open = appends.at(-1);
    const goesOn =
      open !== undefined &&
      open.stream === event.stream &&
      open.last + 1n === event.revision &&
      open.events.length < limits.eventsPerAppend &&
      open.bytes + size <= MAX_APPEND_BYTES &&
      // A server may take the same id twice in one append for a repetition.
      !open.ids.has(event.id);
    if (!goesOn) return false;
    open.events.push(withoutPlace(event));
    open.ids.add(event.id);
    open.last = event.revision;
    open.bytes += size;
    return true;
  };

  return {
    take: (event) => {
      const size =
        Buffer.byteLength(JSON.stringify(event.data)) + Buffer.byteLength(JSON.stringify(event.metadata));
      if (count > 0 && bytes + size > limits.bytes) return false;
      if (!extended(event, size)) {
        if (appends.length >= limits.appends) return false;
        appends.push({
          stream: event.stream,
          expected: event.revision === 0n ? 'no-stream' : event.revision - 1n,
          events: [withoutPlace(event)],
          ids: new Set([event.id]),
          last: event.revision,
          bytes: size,
        });
      }
      bytes += size;
      count += 1;
      return true;
    },
    events: () => count,
    flush: () => {
      const flushed = appends;
      appends = [];
      bytes = 0;
      count = 0;
      return flushed;
    },
  };
}

function withoutPlace({ id, type, data, metadata }: StoredEvent): NewEvent {
  return { id, type, data, metadata };
}
