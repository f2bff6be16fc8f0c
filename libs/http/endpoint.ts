import 'reflect-metadata';
import { Controller } from '@nestjs/common';
import type { ActingOperator } from '#kernel/values/operators.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { RefusalDeclaration } from '#kernel/values/refusal.js';
import type { Static, TSchema } from '#kernel/values/schema.js';
import type { CallerKind } from './callers.js';
import { isMessageClass, type MessageClass } from './endpoint-message.js';
import type { InvalidStatus, PathParameters, QueryParameters, ValuesOf } from './parameters.js';
import type { RawBody } from './raw-body.js';
import type { Reply } from './reply.js';
import type { TextAnswer } from './text-answer.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** Method and path in one greppable string: `POST /api/v2/things/:thing_id/parts`. */
export type Route = `${Method} /${string}`;

/** Features that a workspace may have. */
export type Feature = 'account_mapping';

/** A class whose class-validator decorators declare a request body. */
export type BodyClass<Body> = new () => Body;

/** The types of a request's declared body and of its declared parameters; a part that is not declared is absent. */
export type RequestParts = {
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
};

/** The headers of a browser about itself and about the page that a request comes from. */
export type BrowserHeaders = {
  /** The `Cookie` header; empty without one. */
  readonly cookie: string;
  /** The origin of the page that sent a form; null if the browser does not state it. */
  readonly origin: string | null;
  /** The requested host. */
  readonly host: string;
  /** Whether the connection is encrypted, at least up to a trusted proxy. */
  readonly isEncrypted: boolean;
};

/** The request of an endpoint for callers of a kind. */
export type RequestOf<Kind extends CallerKind, Parts extends RequestParts> = {
  readonly apiKey: EndpointRequest<Parts>;
  readonly operator: OperatorRequest<Parts>;
  readonly public: PublicRequest<Parts>;
}[Kind];

/** No declared parameters. */
type NoParameters = Readonly<Record<never, never>>;

/** An endpoint as data: routing, validation, OpenAPI and the documented problems come from it. */
export type EndpointSpec<
  Body = undefined,
  Query extends QueryParameters = NoParameters,
  Params extends PathParameters = NoParameters,
  Response extends TSchema = TSchema,
> = {
  /** Who may call it. */
  readonly caller: CallerKind;
  /** Only workspaces with this feature may call; it is checked before anything else of the request. */
  readonly feature?: Feature;
  /** One route, or several with the same method for the same handler. */
  readonly route: Route | readonly Route[];
  readonly summary: string;
  readonly description?: string;
  /** Status of a success; 200 when absent. 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Other success statuses that `reply(data, { status })` may choose. */
  readonly otherStatuses?: readonly (200 | 201 | 202 | 303 | 400 | 403 | 404 | 406 | 409 | 422)[];
  /** One declaration for each `:name` in the route. */
  readonly params?: Params;
  readonly query?: Query;
  /** Request headers that the handler reads, in lower case. */
  readonly headers?: readonly string[];
  /** The protocol of its messages if it is not this API: the OpenAPI document leaves the endpoint out. */
  readonly protocol?: string;
  /**
   * A class with decorators of class-validator and `body.ts`, or a kind of `raw-body.ts`. The handler gets the
   * declared properties of a class.
   */
  readonly body?: BodyClass<Body> | RawBody<Body>;
  /** Status of a well-formed but invalid body; 422 when absent. */
  readonly invalidBody?: InvalidStatus;
  /** Largest body in bytes; 1 MiB when absent. A stream has no limit. */
  readonly bodyLimitBytes?: number;
  /** Schema of a success body; absent with 204 and if the answer is a text (`textAnswer`). */
  readonly response?: Response;
  /** A POST without effects: an Idempotency-Key is not needed and is ignored (OP-66). */
  readonly readsOnly?: true;
  /**
   * Known fields without effect here, in addition to those of the answer: `Ignored-Fields` names them, and no request
   * is refused because of them.
   */
  readonly withoutEffect?: readonly string[];
  /**
   * Paths of known fields of this body that are dropped because of other fields: `Ignored-Fields` names them too, and
   * no request is refused because of them. The body is JSON as sent.
   */
  readonly dropped?: (body: JsonObject) => readonly string[];
  /**
   * Success answers state the credits left in `Credits-Remaining`, and the credits charged for the request in
   * `Credits-Charged`: the handler sets them with `creditHeaders`.
   */
  readonly reportsCredits?: 'remaining' | 'charged and remaining';
  /**
   * Members of the answer's `data` that are shown once. The answer stored for an Idempotency-Key has null there, so
   * they must be nullable.
   */
  readonly shownOnce?: readonly string[];
  /** Without a key and not counted by the address limit, because monitoring must always be answered. */
  readonly unlimited?: true;
  /**
   * Media types other than JSON that the handler supports with `textAnswer`: the first one in the caller's `Accept`
   * is used.
   */
  readonly otherTypes?: readonly string[];
  /** The address to which a browser is redirected: 303. */
  readonly browsersTo?: `/${string}`;
  /** A text from the handler is a page for a browser. */
  readonly html?: true;
  /** Media type of a text from the handler that is not a page. */
  readonly textType?: string;
  /** The answer changes only with the program: it is created once, carries an `ETag` and is compressed. */
  readonly kept?: true;
  /**
   * For a polled endpoint: whether a later answer will differ. Such an answer carries `Retry-After`, and `Prefer:
   * wait=20` waits for the final one.
   */
  isRunning?(answer: Deep<Static<Response>>): boolean;
  /** Refusals of the rules behind it, for the documentation; 400, 401, 422, 429, 500, 503 are added automatically. */
  readonly problems?: readonly RefusalDeclaration[];
  /** Answers carry `Deprecation`, `Link` and, when a date is set, `Sunset` (OP-68); OpenAPI says so too. */
  readonly deprecated?: {
    /** Path of the successor, for `Link`; each `:name` in it is filled from the requested path. */
    readonly successor: string;
  };
};

/** True if a call may change or spend something. */
export const writes = ({ method, readsOnly }: DeclaredEndpoint): boolean =>
  method !== 'GET' && readsOnly !== true;

type Deep<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Deep<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Deep<T[Key]> }
      : T;

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
 * Declares an endpoint, which is listed in the `controllers` of its Nest module. It decorates a message
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

function parseRoute(route: Route): { readonly method: Method; readonly path: string } {
  const [method, path] = route.split(' ');
  if (path === undefined || !isMethod(method)) throw new Error(`not a route: ${route}`);
  return { method, path };
}

function isMethod(text: string | undefined): text is Method {
  return methods.some((method) => method === text);
}
