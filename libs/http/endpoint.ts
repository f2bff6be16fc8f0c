import 'reflect-metadata';
import { Controller } from '@nestjs/common';
import { Command, Query } from '@nestjs/cqrs';
import type { ActingOperator } from '#kernel/values/operators.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { Static, TSchema } from '#kernel/values/schema.js';
import type { CallerKind } from './callers.js';
import { parseRoute, type Deep, type EndpointSpec, type Method, type NoParameters } from './endpoint-spec.js';
import type { PathParameters, QueryParameters, ValuesOf } from './parameters.js';
import type { RequestRefused } from './problem.js';
import type { Reply } from './reply.js';
import type { TextAnswer } from './text-answer.js';

/** The types of a request's declared body and of its declared parameters; a part that is not declared is absent. */
type RequestParts = {
  readonly body?: unknown;
  readonly query?: QueryParameters;
  readonly params?: PathParameters;
};

/** The request that every handler gets: parsed and validated. */
type Asked<Parts extends RequestParts> = {
  readonly requestId: string;
  readonly params: 'params' extends keyof Parts ? ValuesOf<Parts['params']> : NoParameters;
  readonly query: 'query' extends keyof Parts ? ValuesOf<Parts['query']> : NoParameters;
  readonly body: 'body' extends keyof Parts ? Parts['body'] : undefined;
};

/** The request of an endpoint for API keys, with its workspace: `EndpointRequest<{ params: typeof params }>`. */
export type EndpointRequest<Parts extends RequestParts = object> = Asked<Parts> & {
  readonly workspaceId: number;
  readonly apiKeyId: number;
  /** The media type of `otherTypes` that the caller asks for; null: JSON. */
  readonly mediaType: string | null;
  /** The position from which an interrupted stream continues (`Last-Event-ID`); null if the caller gives none. */
  readonly lastEventId: string | null;
  /** The API key changes and spends nothing. */
  readonly isReadOnly: boolean;
  /** The headers that the endpoint declares, as far as the caller sent them. */
  readonly headers: { readonly [name: string]: string | undefined };
  /** For a command sent on behalf of this request: a random command id, the API key as actor. */
  readonly context: CommandContext;
};

/** The request of an endpoint for operators. */
export type OperatorRequest<Parts extends RequestParts = object> = Asked<Parts> & {
  readonly operator: ActingOperator;
};

/** The request of an endpoint without authentication. */
export type PublicRequest<Parts extends RequestParts = object> = Asked<Parts> & {
  /** The caller is a browser and prefers a page to JSON. */
  readonly prefersHtml: boolean;
  readonly browser: BrowserHeaders;
  /**
   * Why the parameters are invalid: `params` and `query` are then empty. Null if they are valid, and always if the endpoint
   * does not declare `answersRefusals`.
   */
  readonly refusal: RequestRefused | null;
};

/** The headers of a browser about itself and about the page that a request comes from. */
export type BrowserHeaders = {
  /** HEAD: programs that check links send it, and no browser shows the answer. */
  readonly isHead: boolean;
  /** The `Cookie` header; empty without one. */
  readonly cookie: string;
  /** The origin of the page that sent a form; null if the browser does not state it. */
  readonly origin: string | null;
  /** The requested host. */
  readonly host: string;
  /** The requested path with its query. */
  readonly address: string;
  /** Whether the connection is encrypted, at least up to a trusted proxy. */
  readonly isEncrypted: boolean;
};

/** The request of an endpoint for callers of a kind. */
type RequestOf<Kind extends CallerKind, Parts extends RequestParts> = {
  readonly apiKey: EndpointRequest<Parts>;
  readonly operator: OperatorRequest<Parts>;
  readonly public: PublicRequest<Parts>;
}[Kind];

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
type MessageClass<Request, Result> = abstract new (request: Request) => Message<Request, Result>;

/** A message class with the types of its request and its answer erased. */
export type AnyMessageClass = new (request: unknown) => Message<unknown, unknown>;

/** True for a class whose objects are put on a bus. */
export function isMessageClass(target: unknown): target is AnyMessageClass {
  if (typeof target !== 'function') return false;
  const prototype: unknown = target.prototype;
  return prototype instanceof EndpointQuery || prototype instanceof EndpointCommand;
}

/** True if a call may change or spend something. */
export const writes = ({ method, readsOnly }: DeclaredEndpoint): boolean =>
  method !== 'GET' && readsOnly !== true;

/** The return type of a handler for a response schema. */
type Answer<Response extends TSchema> =
  | Deep<Static<Response>>
  | Reply<Deep<Static<Response>>>
  // rows as lines, where the endpoint has other types
  | TextAnswer;

type HandlerClass<Request, Response extends TSchema, Page = never> = abstract new (...injected: never[]) => {
  handle: (request: Request) => Answer<Response> | Page | Promise<Answer<Response> | Page>;
};

/** The stored form of an endpoint declaration. */
export type DeclaredEndpoint = AnySpec & {
  /** The name of its class. */
  readonly name: string;
  readonly method: Method;
  readonly paths: readonly string[];
};

/**
 * Declares an endpoint; its Nest module lists it, or the handler of its message (`endpointsOf`). It decorates a message
 * (`EndpointQuery`, `EndpointCommand`): a request is put onto the bus as that message. If one message is not enough
 * it decorates a class with a `handle` method. Request and answer types must agree with the declaration, or it does
 * not compile.
 */
export function Endpoint<
  const Kind extends CallerKind,
  Body = undefined,
  const Query extends QueryParameters = NoParameters,
  const Params extends PathParameters = NoParameters,
  const Response extends TSchema = TSchema,
>(spec: EndpointSpec<Body, Query, Params, Response> & { readonly caller: Kind }) {
  type Request = RequestOf<
    NoInfer<Kind>,
    { body: NoInfer<Body>; query: NoInfer<Query>; params: NoInfer<Params> }
  >;
  return (
    target:
      | HandlerClass<
          Request,
          NoInfer<Response>,
          // documentation is answered as a page too, other media types as a stream
          NoInfer<Kind> extends 'public' ? string : TextAnswer
        >
      | MessageClass<Request, Answer<NoInfer<Response>>>,
  ): void => declare(target, spec);
}

type AnySpec = EndpointSpec<unknown, QueryParameters, PathParameters>;

/** The declarations of all loaded endpoint classes, by class. */
const declarations = new Map<unknown, DeclaredEndpoint>();

/** The declaration of an endpoint class, or null for another class. */
export function declarationOf(target: unknown): DeclaredEndpoint | null {
  return declarations.get(target) ?? null;
}

/** An endpoint that can be called, with the types of its handler erased. */
export type MadeEndpoint = {
  readonly declared: DeclaredEndpoint;
  readonly handle: (request: unknown) => unknown;
};

/** The method that answers the requests of an endpoint class, on the instance that Nest created. */
export function handleOf(made: object): MadeEndpoint['handle'] {
  const { handle } = made as MadeEndpoint;
  return handle.bind(made);
}

function declare(target: abstract new (...injected: never[]) => object, spec: AnySpec): void {
  const routes = typeof spec.route === 'string' ? [spec.route] : spec.route;
  const [method, ...others] = new Set(routes.map((route) => parseRoute(route).method));
  if (method === undefined || others.length > 0) {
    throw new Error(`${target.name}: the routes of one endpoint have one method`);
  }
  const paths = routes.map((route) => parseRoute(route).path);
  if (!isMessageClass(target) && !Object.hasOwn(target.prototype, 'handle')) {
    throw new Error(`${target.name}: an endpoint is a message or has a method named handle`);
  }
  declarations.set(target, { ...spec, name: target.name, method, paths });
  Controller()(target);
}
