import { Command, Query } from '@nestjs/cqrs';
import type { CallerKind } from './callers.js';
import type { RequestOf, RequestParts } from './endpoint.js';

/**
 * A query that is an endpoint: `@Endpoint` is on the class, and the request is put on the query bus unchanged. Other
 * entry points in the service send the same message. `Parts` are the types of the declared body and parameters:
 * `EndpointQuery<Answer, { query: typeof query }>`. `Kind` is the declared caller.
 */
export abstract class EndpointQuery<
  Result,
  Parts extends RequestParts = object,
  Kind extends CallerKind = 'apiKey',
> extends Query<Result> {
  constructor(readonly request: RequestOf<Kind, Parts>) {
    super();
  }
}

/** A command that is an endpoint: as `EndpointQuery`, on the command bus. */
export abstract class EndpointCommand<
  Result,
  Parts extends RequestParts = object,
  Kind extends CallerKind = 'apiKey',
> extends Command<Result> {
  constructor(readonly request: RequestOf<Kind, Parts>) {
    super();
  }
}

/** A message that is created from a request and nothing else. */
type Message<Request, Result> = (Query<Result> | Command<Result>) & { readonly request: Request };

/** A message class declared with `@Endpoint`. */
export type MessageClass<Request, Result> = abstract new (request: Request) => Message<Request, Result>;

/** A message class with the types of its request and its answer erased. */
export type AnyMessageClass = new (request: unknown) => Message<unknown, unknown>;

/** True for a class whose objects are put on a bus. */
export function isMessageClass(target: unknown): target is AnyMessageClass {
  if (typeof target !== 'function') return false;
  const prototype: unknown = target.prototype;
  return prototype instanceof EndpointQuery || prototype instanceof EndpointCommand;
}
