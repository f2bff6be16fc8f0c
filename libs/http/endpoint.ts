import 'reflect-metadata';
import { Controller, Delete, Get, HttpCode, Patch, Post, Put, createParamDecorator } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { RefusalDeclaration } from '#kernel/values/refusal.js';
import type { Static, TSchema } from '#kernel/values/schema.js';
import type { InvalidStatus, PathParameters, QueryParameters, ValuesOf } from './parameters.js';
import type { Reply } from './reply.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and path in one greppable string: `POST /api/v2/things/:thing_id/parts`. */
export type Route = `${Method} /${string}`;

/** A class whose class-validator decorators declare a request body. */
export type BodyClass<Body> = new () => Body;

/** What a handler gets: parsed, validated, and who asks. */
export type EndpointRequest<Body = undefined, Query = NoParameters, Params = NoParameters> = {
  readonly workspaceId: number;
  readonly apiKeyId: number;
  readonly requestId: string;
  /** For a command sent on behalf of this request: a random command id, the API key as actor. */
  readonly context: CommandContext;
  readonly params: ValuesOf<Params>;
  readonly query: ValuesOf<Query>;
  readonly body: Body;
};

/** What the handler of an endpoint without authentication gets. */
export type PublicRequest<Query = NoParameters, Params = NoParameters> = Pick<
  EndpointRequest<undefined, Query, Params>,
  'requestId' | 'params' | 'query'
> & {
  /** A browser asks: it would rather have a page than JSON. */
  readonly prefersHtml: boolean;
};

/** No declared parameters. */
export type NoParameters = Readonly<Record<never, never>>;

/** An endpoint as data: routing, validation, OpenAPI and the documented problems come from it. */
export type EndpointSpec<
  Body = undefined,
  Query extends QueryParameters = NoParameters,
  Params extends PathParameters = NoParameters,
  Response extends TSchema = TSchema,
> = {
  /** One route, or several with the same method for the same handler. */
  readonly route: Route | readonly Route[];
  readonly summary: string;
  readonly description?: string;
  /** Status of a success; 200 when absent. 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Other success statuses that `reply(data, { status })` may choose. */
  readonly otherStatuses?: readonly (200 | 201 | 202)[];
  /** One declaration for each `:name` in the route. */
  readonly params?: Params;
  readonly query?: Query;
  /** A class with decorators of class-validator and `body.ts`; the handler gets its declared properties. */
  readonly body?: BodyClass<Body>;
  /** Status of a well-formed body that is not valid; 422 when absent. */
  readonly invalidBody?: InvalidStatus;
  /** Largest body in bytes; 1 MiB when absent. */
  readonly bodyLimitBytes?: number;
  /** Schema of a success body; absent with 204. */
  readonly response?: Response;
  /** A text that the handler answers is a page for a browser. */
  readonly html?: true;
  /** Refusals of the rules behind it, for the documentation; 400, 401, 422, 429, 500, 503 come by themselves. */
  readonly problems?: readonly RefusalDeclaration[];
  /** Answers carry `Deprecation`, `Link` and, when a date is set, `Sunset` (OP-68); OpenAPI says so too. */
  readonly deprecated?: {
    /** Path of the successor, for `Link`; each `:name` in it is filled from the path that was asked for. */
    readonly successor: string;
  };
};

type Deep<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Deep<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Deep<T[Key]> }
      : T;

/** What a handler returns for a response schema. */
type Answer<Response extends TSchema> = Deep<Static<Response>> | Reply<Deep<Static<Response>>>;

type HandlerClass<Request, Response extends TSchema, Page = never> = abstract new (...injected: never[]) => {
  handle: (request: Request) => Answer<Response> | Page | Promise<Answer<Response>>;
};

/** An endpoint declaration as the machinery keeps it. */
export type DeclaredEndpoint = EndpointSpec<unknown, QueryParameters, PathParameters> & {
  readonly access: 'apiKey' | 'public';
  readonly method: Method;
  readonly paths: readonly string[];
};

/**
 * Declares an endpoint that needs an API key: a class with a `handle` method, listed in the `controllers` of
 * its Nest module. What `handle` takes and returns must agree with the declaration, or it does not compile.
 */
export function Endpoint<
  Body = undefined,
  const Query extends QueryParameters = NoParameters,
  const Params extends PathParameters = NoParameters,
  const Response extends TSchema = TSchema,
>(spec: EndpointSpec<Body, Query, Params, Response>) {
  return (
    target: HandlerClass<EndpointRequest<NoInfer<Body>, NoInfer<Query>, NoInfer<Params>>, NoInfer<Response>>,
  ): void => declare(target, 'apiKey', spec);
}

/** Declares an endpoint that is answered without authentication: health, documentation. */
export function PublicEndpoint<
  const Query extends QueryParameters = NoParameters,
  const Params extends PathParameters = NoParameters,
  const Response extends TSchema = TSchema,
>(spec: Omit<EndpointSpec<undefined, Query, Params, Response>, 'body' | 'invalidBody' | 'bodyLimitBytes'>) {
  return (
    target: HandlerClass<PublicRequest<NoInfer<Query>, NoInfer<Params>>, NoInfer<Response>, string>,
  ): void => declare(target, 'public', spec);
}

type AnySpec = EndpointSpec<unknown, QueryParameters, PathParameters>;

const methods = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete } as const;

const TheRequest = createParamDecorator((_data: unknown, context) => {
  const request: { readonly endpointRequest: unknown } = context.switchToHttp().getRequest();
  return request.endpointRequest;
});

/** The declarations of every endpoint class that was loaded, by class. */
const declarations = new Map<unknown, DeclaredEndpoint>();

/** The declaration of an endpoint class, or null for another class. */
export function declarationOf(target: unknown): DeclaredEndpoint | null {
  return declarations.get(target) ?? null;
}

function declare(
  target: abstract new (...injected: never[]) => object,
  access: 'apiKey' | 'public',
  spec: AnySpec,
): void {
  const routes = typeof spec.route === 'string' ? [spec.route] : spec.route;
  const [method, ...others] = new Set(routes.map((route) => parseRoute(route).method));
  if (method === undefined || others.length > 0) {
    throw new Error(`${target.name}: the routes of one endpoint have one method`);
  }
  const paths = routes.map((route) => parseRoute(route).path);
  const declared: DeclaredEndpoint = { ...spec, access, method, paths };
  const handle = Object.getOwnPropertyDescriptor(target.prototype, 'handle');
  if (handle === undefined) throw new Error(`${target.name}: an endpoint has a method named handle`);
  declarations.set(target, declared);
  const onHandle = [
    methods[method](paths),
    HttpCode(spec.status ?? 200),
    RouteConfig({ endpoint: declared }),
  ];
  for (const decorate of onHandle) decorate(target.prototype, 'handle', handle);
  TheRequest()(target.prototype, 'handle', 0);
  Controller()(target);
}

function parseRoute(route: Route): { readonly method: Method; readonly path: string } {
  const [method, path] = route.split(' ');
  if (path === undefined || !isMethod(method)) throw new Error(`not a route: ${route}`);
  return { method, path };
}

function isMethod(text: string | undefined): text is Method {
  return text !== undefined && Object.hasOwn(methods, text);
}
