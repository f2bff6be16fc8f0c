import type { JsonObject } from '#kernel/values/json.js';
import type { Caller } from './callers.js';
import type { RawRequest } from './compiled-endpoint.js';
import type { DescribedEndpoint } from './described-endpoint.js';
import type { Route } from './endpoint.js';
import type { RawQuery } from './parameters.js';

/** An API key, as the listener authenticated it. */
export type KeyHolder = Extract<Caller, { readonly kind: 'apiKey' }>;

/** The values of a message by the names that its endpoint declares. */
export type MessageArguments = {
  readonly params?: RawRequest['params'];
  readonly query?: RawQuery;
  readonly body?: JsonObject;
};

/** On whose behalf a message is sent. */
export type DispatchCall = {
  readonly caller: KeyHolder;
  readonly requestId: string;
  readonly traceparent?: string | undefined;
  /** The address that the caller asked: what a problem document names. */
  readonly url: string;
};

/** An idempotency key, and what it stands for: the same hash is the same request. */
export type Once = { readonly key: string; readonly requestHash: string };

/** What HTTP answers as a problem. */
export type SentProblem = {
  readonly kind: 'problem';
  /** The slug of its type. */
  readonly slug: string;
  /** RFC 9457, in the dialect of v2; `retry_after_seconds` is the header of that name. */
  readonly document: JsonObject;
  readonly replayed: boolean;
};

/** What came of a message. `replayed`: it was answered before, for the same idempotency key. */
export type SentMessage =
  { readonly kind: 'answer'; readonly data: unknown; readonly replayed: boolean } | SentProblem;

/**
 * Sends messages of endpoints from within the service, as HTTP sends them: read by the same declaration, under the same
 * rules for keys and features, on the same bus. Unknown fields are refused. It rejects nothing: what HTTP answers as a
 * problem is a `SentMessage` of that kind. Rate limits count requests, so they are not asked again.
 */
export type Dispatch = {
  /** What an endpoint takes and answers. Throws for a route that nobody serves. */
  readonly describe: (route: Route) => DescribedEndpoint;
  readonly send: (route: Route, asked: MessageArguments, call: DispatchCall) => Promise<SentMessage>;
  /** Sends a message once for an idempotency key (OP-66), of the same kept answers as the header of that name. */
  readonly sendOnce: (
    route: Route,
    asked: MessageArguments,
    call: DispatchCall,
    once: Once,
  ) => Promise<SentMessage>;
  /** The problem that HTTP would answer for what was thrown. */
  readonly problemFor: (error: unknown, call: DispatchCall) => SentProblem;
  /** What was answered for this key; null where nothing was. */
  readonly repeated: (call: DispatchCall, once: Once) => Promise<SentMessage | null>;
  /**
   * Sends the message of a polled endpoint until nothing follows its answer any more, for so many seconds at most (20
   * in any case).
   */
  readonly sendUntilOver: (
    route: Route,
    asked: MessageArguments,
    call: DispatchCall,
    seconds: number,
  ) => Promise<SentMessage>;
};
