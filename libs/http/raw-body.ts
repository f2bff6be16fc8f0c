import type { Readable } from 'node:stream';
import { lateBody } from './body-deadline.js';
import { jsonOf, wrongMediaType, type ParsedBody } from './json-body.js';
import { untilSilent } from './until-silent.js';

/** The body of a request: parsed JSON, or a stream for a streamed media type. */
export type ArrivedBody = ParsedBody | Readable | undefined;

export type StreamedBody = {
  readonly mediaType: string;
  /** The maximum number of bytes that its reader buffers: this is counted, for any length. */
  readonly windowBytes: number;
  /** The time for the whole body, in ms; absent: any, as long as it does not pause. */
  readonly withinMs?: number;
};

/** A request body that is not read by a class alone: `Body` is the type for the handler. */
export type RawBody<Body> = {
  /** A body that is passed on in pieces, of any size; null: JSON. */
  readonly streamed: StreamedBody | null;
  /** The class that documents it; null if there is none. */
  readonly describedBy: (new () => object) | null;
  /** Throws `RequestRefused` (400) for a body of another type. */
  readonly read: (arrived: ArrivedBody) => Body;
};

/** Any JSON value, for a handler that validates it itself; no body is `{}`. */
export const anyJson: RawBody<unknown> = {
  streamed: null,
  describedBy: null,
  read: (arrived) => jsonOf(arrived).value,
};

const LONGEST_SILENCE_MS = 30_000;

/** The bytes of a body of this media type as they arrive; it ends with 408 after 30 s without data, or after `withinMs`. */
export function byteStream(streamed: StreamedBody): RawBody<AsyncIterable<Uint8Array>> {
  return {
    streamed,
    describedBy: null,
    read: (arrived) => {
      if (arrived === undefined || !(Symbol.asyncIterator in arrived))
        throw wrongMediaType(streamed.mediaType);
      const { withinMs } = streamed;
      const limits = { silenceMs: LONGEST_SILENCE_MS, ...(withinMs === undefined ? {} : { withinMs }) };
      return untilSilent(arrived, limits, lateBody);
    },
  };
}
