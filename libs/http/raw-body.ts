import type { Readable } from 'node:stream';
import { lateBody } from './body-deadline.js';
import { jsonOf, wrongMediaType, type ParsedBody } from './json-body.js';
import { untilSilent } from './until-silent.js';

/** What arrived as the body of a request: parsed JSON, or a stream where its media type is taken as one. */
export type ArrivedBody = ParsedBody | Readable | undefined;

export type StreamedBody = {
  readonly mediaType: string;
  /** What its reader holds of it at a time, in bytes: so much is counted, however long it gets. */
  readonly windowBytes: number;
};

/** A request body that is not read by its class alone: `Body` is what the handler gets. */
export type RawBody<Body> = {
  /** A body that is handed on as it comes, in pieces, whatever its size; null: JSON. */
  readonly streamed: StreamedBody | null;
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

const LONGEST_SILENCE_MS = 30_000;

/** The bytes of a body of this media type as they come; 30 s without one end it with 408. */
export function byteStream(streamed: StreamedBody): RawBody<AsyncIterable<Uint8Array>> {
  return {
    streamed,
    describedBy: null,
    read: (arrived) => {
      if (arrived === undefined || !(Symbol.asyncIterator in arrived))
        throw wrongMediaType(streamed.mediaType);
      return untilSilent(arrived, LONGEST_SILENCE_MS, lateBody);
    },
  };
}
