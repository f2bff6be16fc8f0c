import type { Readable } from 'node:stream';
import { jsonOf, wrongMediaType, type ParsedBody } from './json-body.js';

/** What arrived as the body of a request: parsed JSON, or a stream where its media type is taken as one. */
export type ArrivedBody = ParsedBody | Readable | undefined;

/** A request body that is not read by its class alone: `Body` is what the handler gets. */
export type RawBody<Body> = {
  /** Media type of a body that is handed on as it comes, in pieces, whatever its size; null: JSON. */
  readonly streamed: string | null;
  /** The class that documents it; null where there is none. */
  readonly describedBy: (new () => object) | null;
  /** Throws `RequestRefused` (400) for a body of another type. */
  readonly read: (arrived: ArrivedBody) => Body;
};

/** Any JSON value, for a handler that judges it itself; no body is `{}`. */
export const anyJson: RawBody<unknown> = {
  streamed: null,
  describedBy: null,
  read: (arrived) => jsonOf(arrived).value,
};

/** The bytes of a body of this media type as they come. */
export function byteStream(mediaType: string): RawBody<AsyncIterable<Uint8Array>> {
  return {
    streamed: mediaType,
    describedBy: null,
    read: (arrived) => {
      if (arrived === undefined || !(Symbol.asyncIterator in arrived)) throw wrongMediaType(mediaType);
      return arrived;
    },
  };
}
