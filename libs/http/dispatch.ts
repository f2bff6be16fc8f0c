import type { JsonObject } from '#kernel/values/json.js';
import type { Caller } from './callers.js';
import type { RawRequest } from './compiled-endpoint.js';
import type { DescribedEndpoint } from './described-endpoint.js';
import type { Route } from './endpoint-spec.js';
import type { RawQuery } from './parameters.js';

/** An API key, as the listener authenticated it. */
export type KeyHolder = Extract<Caller, { readonly kind: 'apiKey' }>;

/** The values of a message by the names that its endpoint declares. */
export type MessageArguments = {
  readonly params?: RawRequest['params'];
  readonly query?: RawQuery;
  readonly body?: JsonObject;
};

/** The caller on whose behalf a message is sent. */
export type DispatchCall = {
  readonly caller: KeyHolder;
  readonly requestId: string;
  readonly traceparent?: string | undefined;
  /** The requested address, for problem documents. */
  readonly url: string;
};

/** An idempotency key with the hash of its request: the same hash is the same request. */
export type Once = { readonly key: string; readonly requestHash: string };

/** A problem as HTTP would answer it. */
export type SentProblem = {
  readonly kind: 'problem';
  /** The slug of its type. */
  readonly slug: string;
  /** RFC 9457, in the dialect of v2; `retry_after_seconds` is the header of that name. */
  readonly document: JsonObject;
  readonly replayed: boolean;
};

/** The result of a message. `replayed`: it was already answered for the same idempotency key. */
export type SentMessage =
  { readonly kind: 'answer'; readonly data: unknown; readonly replayed: boolean } | SentProblem;

/**
 * Sends messages of endpoints from within the service like HTTP: parsed by the same declaration, with the same rules
 * for keys and features, on the same bus. Unknown fields are refused. It never rejects: a problem is a `SentMessage`
 * of that kind. Rate limits count requests, so they are not checked again.
 */
export type Dispatch = {
  /** The request and answer of an endpoint. Throws for an unknown route. */
  readonly describe: (route: Route) => DescribedEndpoint;
  readonly send: (route: Route, asked: MessageArguments, call: DispatchCall) => Promise<SentMessage>;
  /** Sends a message once for an idempotency key (OP-66); answers are shared with the header of that name. */
  readonly sendOnce: (
    route: Route,
    asked: MessageArguments,
    call: DispatchCall,
    once: Once,
  ) => Promise<SentMessage>;
  /** The problem that HTTP would answer for this error. */
  readonly problemFor: (error: unknown, call: DispatchCall) => SentProblem;
  /** The stored answer for this key; null if there is none. */
  readonly repeated: (call: DispatchCall, once: Once) => Promise<SentMessage | null>;
  /**
   * Repeats the message of a polled endpoint until its answer is final, for this many seconds at most (never more
   * than 20).
   */
  readonly sendUntilOver: (
    route: Route,
    asked: MessageArguments,
    call: DispatchCall,
    seconds: number,
  ) => Promise<SentMessage>;
};
