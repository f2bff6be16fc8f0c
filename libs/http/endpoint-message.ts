import { Command, Query } from '@nestjs/cqrs';

/**
 * A query that is an endpoint: `@Endpoint` stands on the class, and what was asked goes onto the query bus as it is.
 * Every door into the service that runs in it sends the same. `Request` is the type of what the declaration admits.
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

/** A message that was declared with `@Endpoint`: it is made of a request and of nothing else. */
export type MessageClass<Request, Result> = abstract new (
  request: Request,
) => EndpointQuery<Request, Result> | EndpointCommand<Request, Result>;

export type AnyMessageClass = new (request: unknown) => EndpointMessage;

/** A message with the types of its request and its answer erased. */
export type EndpointMessage = EndpointQuery<unknown, unknown> | EndpointCommand<unknown, unknown>;

/** True for a class whose objects go onto a bus. */
export function isMessageClass(target: unknown): target is AnyMessageClass {
  if (typeof target !== 'function') return false;
  const prototype: unknown = target.prototype;
  return prototype instanceof EndpointQuery || prototype instanceof EndpointCommand;
}
