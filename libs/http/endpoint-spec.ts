import type { JsonObject } from '#kernel/values/json.js';
import type { RefusalDeclaration } from '#kernel/values/refusal.js';
import type { Static, TSchema } from '#kernel/values/schema.js';
import type { CallerKind } from './callers.js';
import type { InvalidStatus, PathParameters, QueryParameters } from './parameters.js';
import type { Problem } from './problem.js';
import type { RawBody } from './raw-body.js';
import type { Reply } from './reply.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** Method and path in one greppable string: `POST /api/v2/things/:thing_id/parts`. */
export type Route = `${Method} /${string}`;

/** Features that a workspace may have. */
export type Feature = 'account_mapping';

/** A class whose class-validator decorators declare a request body. */
type BodyClass<Body> = new () => Body;

/** No declared parameters. */
export type NoParameters = Readonly<Record<never, never>>;

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
  /**
   * For a public endpoint that checks its callers itself: the handler also gets requests with invalid parameters
   * (`PublicRequest.refusal`), so that a stranger learns nothing about the path.
   */
  readonly answersRefusals?: true;
  /** For pages: the page that answers a problem, in place of a problem document. */
  readonly problemPage?: (problem: Problem) => Reply<string>;
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

/** The value of a schema, and all its parts, as read-only data. */
export type Deep<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Deep<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Deep<T[Key]> }
      : T;

/** Method and path of a route; throws if it is none. */
export function parseRoute(route: Route): { readonly method: Method; readonly path: string } {
  const [method, path] = route.split(' ');
  if (path === undefined || !isMethod(method)) throw new Error(`not a route: ${route}`);
  return { method, path };
}

function isMethod(text: string | undefined): text is Method {
  return methods.some((method) => method === text);
}
