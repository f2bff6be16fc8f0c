import { Command, Query } from '@nestjs/cqrs';

/**
 * A query that is an endpoint: `@Endpoint` is on the class, and the request is put on the query bus unchanged. Other
 * entry points in the service send the same message. `Request` is the type of the declared request.
 */
export abstract class EndpointQuery<Request, Result> extends Query<Result> {
  constructor(readonly request: Request) {
    super();
  }
}

/** A command that is an endpoint: as `EndpointQuery`, on the command bus. */
export abstract class EndpointCommand<Request, Result> extends Command<Result> {
  constructor(readonly request: Request) {
    super();
  }
}

/** A message declared with `@Endpoint`: it is created from a request and nothing else. */
export type MessageClass<Request, Result> = abstract new (
  request: Request,
) => EndpointQuery<Request, Result> | EndpointCommand<Request, Result>;

export type AnyMessageClass = new (request: unknown) => EndpointMessage;

/** A message with the types of its request and its answer erased. */
export type EndpointMessage = EndpointQuery<unknown, unknown> | EndpointCommand<unknown, unknown>;

/** True for a class whose objects are put on a bus. */
export function isMessageClass(target: unknown): target is AnyMessageClass {
  if (typeof target !== 'function') return false;
  const prototype: unknown = target.prototype;
  return prototype instanceof EndpointQuery || prototype instanceof EndpointCommand;
}
