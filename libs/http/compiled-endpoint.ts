import { randomUUID } from 'node:crypto';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { Faults } from '#kernel/values/faults.js';
import { weightsIn } from './accepted.js';
import { readingOf } from './body-reader.js';
import type { Caller } from './callers.js';
import type {
  BrowserHeaders,
  DeclaredEndpoint,
  EndpointRequest,
  OperatorRequest,
  PublicRequest,
} from './endpoint.js';
import type { ClaimedRequest } from './idempotency.js';
import { compileSchema } from './json-schema.js';
import type { PathParameters, QueryParameters, RawQuery, ValuesOf } from './parameters.js';
import { invalidRequest, notFound, RequestRefused } from './problem.js';
import type { ArrivedBody } from './raw-body.js';

/** An endpoint declaration with everything derived from it once, at start. */
export type CompiledEndpoint = {
  readonly declared: DeclaredEndpoint;
  /** Converts a body for the handler; null if the endpoint takes none. */
  readonly readBody: ((arrived: ArrivedBody) => unknown) | null;
  /** Whether a success body, as the caller will read it, satisfies the declaration. */
  readonly isResponse: (data: unknown) => boolean;
};

/** Compiles a declaration; throws with the route if it is contradictory. */
export function compileEndpoint(declared: DeclaredEndpoint): CompiledEndpoint {
  const names = Object.keys(declared.params ?? {}).sort();
  for (const path of declared.paths) {
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '').sort();
    if (names.join() !== inPath.join()) {
      throw new Error(`${declared.method} ${path}: declares the parameters [${names.join(', ')}]`);
    }
    requireSuccessor(declared, inPath);
  }
  return {
    declared,
    readBody: bodyReaderOf(declared),
    isResponse: responseCheckOf(declared),
  };
}

function responseCheckOf({ response, html }: DeclaredEndpoint): CompiledEndpoint['isResponse'] {
  if (response === undefined) return () => true;
  const isValid = compileSchema(response);
  const isPage = (data: unknown): boolean => html === true && typeof data === 'string';
  // JSON has no undefined members
  return (data) => isPage(data) || isValid(JSON.parse(JSON.stringify(data)));
}

/** Every `:name` in the successor's path must be in the endpoint's own path. */
function requireSuccessor({ deprecated, method, paths }: DeclaredEndpoint, inPath: readonly string[]): void {
  if (deprecated === undefined) return;
  const { successor } = deprecated;
  const unknown = [...successor.matchAll(/:(\w+)/g)].filter(([, name = '']) => !inPath.includes(name));
  if (!successor.startsWith('/') || unknown.length > 0) {
    throw new Error(`${method} ${paths.join()}: cannot fill its successor ${successor}`);
  }
}

function bodyReaderOf(declared: DeclaredEndpoint): CompiledEndpoint['readBody'] {
  const { body, invalidBody = 422 } = declared;
  if (body === undefined) return null;
  if (typeof body === 'object') return (arrived) => body.read(arrived);
  return readingOf(bodyClass(declared), invalidBody);
}

/** The class that describes a declared body; throws if there is none. */
export function bodyClass({ body, method, paths }: DeclaredEndpoint): new () => object {
  const type = typeof body === 'object' ? body.describedBy : body;
  if (typeof type !== 'function') throw new Error(`${method} ${paths.join()}: no class describes the body`);
  return type as new () => object;
}

/** The parts of a raw request that the preparation reads. */
export type RawRequest = {
  readonly requestId: string;
  readonly params: { readonly [name: string]: string };
  readonly query: RawQuery;
  readonly body: ArrivedBody;
  readonly traceparent: string | undefined;
  /** The earlier attempt at the same request, if it has an Idempotency-Key. */
  readonly claim: Pick<ClaimedRequest, 'commandId' | 'mayBeDone'> | null;
  /** Media types that the caller accepts; empty if not stated. */
  readonly accept: string;
  readonly lastEventId: string | undefined;
  readonly browser: BrowserHeaders;
  /** The headers that the declaration names. */
  readonly headers: EndpointRequest['headers'];
};

/** Checks path, query and body in this order (OP-01, step 4) and returns the handler's request. */
export function prepareRequest(
  { declared, readBody }: CompiledEndpoint,
  raw: RawRequest,
  caller: Caller,
):
  | EndpointRequest<{ body: unknown; query: QueryParameters; params: PathParameters }>
  | OperatorRequest<{ body: unknown; query: QueryParameters; params: PathParameters }>
  | PublicRequest<{ body: unknown; query: QueryParameters; params: PathParameters }> {
  const { requestId } = raw;
  const { params, query, refusal } = readParameters(declared, raw);
  const body = readBody === null ? undefined : readBody(raw.body);
  switch (caller.kind) {
    case 'apiKey': {
      const { workspaceId, keyId, isReadOnly = false } = caller;
      const context = contextOf(raw, workspaceId, keyId);
      const mediaType = mediaTypeOf(declared, raw.accept);
      const { lastEventId = null, headers } = raw;
      return {
        workspaceId,
        apiKeyId: keyId,
        isReadOnly,
        headers,
        mediaType,
        lastEventId,
        requestId,
        context,
        params,
        query,
        body,
      };
    }
    case 'operator':
      return { requestId, operator: caller.operator, params, query, body };
    case 'public':
      return {
        requestId,
        params,
        query,
        body,
        prefersHtml: raw.accept.includes('text/html'),
        browser: raw.browser,
        refusal,
      };
  }
}

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

function contextOf(
  { requestId, traceparent, claim }: RawRequest,
  workspaceId: number,
  keyId: number,
): CommandContext {
  const context: CommandContext = {
    commandId: claim?.commandId ?? randomUUID(),
    ...claim?.mayBeDone,
    actor: { kind: 'apiKey', id: String(keyId) },
    workspaceId,
    correlationId: requestId,
  };
  return traceparent !== undefined && TRACEPARENT.test(traceparent) ? { ...context, traceparent } : context;
}

/**
 * The media type that the caller prefers by its weights (RFC 9110, section 12.5.1), of equal ones the earlier. Null: JSON. The
 * other types of an endpoint are answered only if they are named; JSON is also meant by `application/*` and by any type.
 */
function mediaTypeOf({ otherTypes = NO_TYPES }: DeclaredEndpoint, accept: string): string | null {
  if (otherTypes.length === 0 || accept === '') return null;
  const weights = weightsIn(accept);
  // The weight 0 refuses a type.
  const [best] = [...weights]
    .filter(([type, weight]) => weight > 0 && (type === JSON_TYPE || otherTypes.includes(type)))
    .sort(([, one], [, other]) => other - one);
  if (best === undefined) return null;
  const [type, weight] = best;
  const weightOfJson = weights.get(JSON_TYPE) ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return type === JSON_TYPE || weightOfJson > weight ? null : type;
}
const JSON_TYPE = 'application/json';
const NO_TYPES: readonly string[] = [];

const NO_PARAMETERS = {};

/** Reads path and query. Throws `RequestRefused` for invalid ones, or returns it if the endpoint answers refusals. */
function readParameters(declared: DeclaredEndpoint, raw: RawRequest) {
  try {
    const params = readParams(declared.params ?? NO_PARAMETERS, raw.params);
    return { params, query: readQuery(declared.query ?? NO_PARAMETERS, raw.query), refusal: null };
  } catch (error) {
    if (declared.answersRefusals !== true || !(error instanceof RequestRefused)) throw error;
    return { params: {}, query: {}, refusal: error };
  }
}

/** Reads the path parameters; throws `RequestRefused`, 400 or 404. */
export function readParams(declared: PathParameters, raw: RawRequest['params']): ValuesOf<PathParameters> {
  if (declared === NO_PARAMETERS) return {};
  const values: Record<string, unknown> = {};
  const parameters = Object.entries(declared);
  const faults: Faults = new Map();
  let unknown = false;
  for (const [name, parameter] of parameters) {
    const read = parameter.read(raw[name] ?? '');
    if (typeof read === 'object') values[name] = read.value;
    else if (read === 'unknown' || parameter.invalid === 404) unknown = true;
    else faults.set(name, [parameter.message]);
  }
  if (faults.size > 0) throw invalidRequest('path', 400, faults);
  if (unknown) throw notFound();
  return values;
}

function readQuery(declared: QueryParameters, raw: RawQuery): ValuesOf<QueryParameters> {
  if (declared === NO_PARAMETERS) return {};
  const values: Record<string, unknown> = {};
  const parameters = Object.entries(declared);
  const faults: Faults = new Map();
  let status: 400 | 422 | null = null;
  for (const [name, parameter] of parameters) {
    const before = faults.size;
    values[name] = parameter.read(name, raw, faults);
    if (faults.size > before) status ??= parameter.invalid;
  }
  if (status !== null) throw invalidRequest('query', status, faults);
  return values;
}

/** The success statuses that a declaration allows. */
export function successStatuses({ status, otherStatuses }: DeclaredEndpoint): readonly number[] {
  return [status ?? 200, ...(otherStatuses ?? [])];
}
