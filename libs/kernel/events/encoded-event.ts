import type { EventMetadata, NewEvent } from '../ports/event-store.port.js';
import type { JsonObject } from '../values/json.js';

/** What a store keeps of an event's payload. */
export type EventText = {
  readonly data: string;
  readonly metadata: string;
  /** What both take, in UTF-8. */
  readonly bytes: number;
};

/**
 * An event that remembers its text: who puts a write together asks for its size and the store for what to keep.
 * A private member and not a weak map, which costs the garbage collector more than the text costs us.
 */
export class EncodedEvent implements NewEvent {
  #text: EventText | null = null;

  constructor(
    readonly id: string,
    readonly type: string,
    readonly data: JsonObject,
    readonly metadata: EventMetadata,
  ) {}

  /** The payload of any event as it is stored. */
  static textOf(event: NewEvent): EventText {
    if (!(#text in event)) return written(event);
    event.#text ??= written(event);
    return event.#text;
  }
}

function written(event: NewEvent): EventText {
  const data = JSON.stringify(event.data);
  const metadata = JSON.stringify(event.metadata);
  return { data, metadata, bytes: Buffer.byteLength(data) + Buffer.byteLength(metadata) };
}
