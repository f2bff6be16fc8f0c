import { Inject, type Type } from '@nestjs/common';
import { CommandHandler, QueryHandler, type Command, type Query } from '@nestjs/cqrs';
import { EndpointQuery } from '#http/endpoint.js';
import { PORTS, type ApiPorts } from './ports.js';

type Message<Request, Result> = (Query<Result> | Command<Result>) & { readonly request: Request };

const handlers = new Map<unknown, Type>();

/**
 * Sets what answers the message of an endpoint: a function of its request and the ports of the api. Returns the
 * function, for other endpoints that give the same answer.
 */
export function handle<Request, Result>(
  message: new (request: Request) => Message<Request, Result>,
  answer: (request: Request, ports: ApiPorts) => Promise<NoInfer<Result>>,
) {
  class Handler {
    constructor(@Inject(PORTS) private readonly ports: ApiPorts) {}

    execute({ request }: Message<Request, Result>): Promise<Result> {
      return answer(request, this.ports);
    }
  }
  Object.defineProperty(Handler, 'name', { value: `${message.name}Handler` });
  const handles = message.prototype instanceof EndpointQuery ? QueryHandler : CommandHandler;
  handles(message)(Handler);
  handlers.set(message, Handler);
  return answer;
}

/** The Nest provider that answers a message; undefined without one. */
export const handlerOf = (message: unknown): Type | undefined => handlers.get(message);
