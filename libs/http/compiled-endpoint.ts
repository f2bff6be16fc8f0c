import { randomUUID } from 'node:crypto';
import type { ApiKeyOwner } from '#kernel/values/api-key.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { bodyReader, type BodyReader } from './body-reader.js';
import type { DeclaredEndpoint, EndpointRequest, PublicRequest } from './endpoint.js';
import type { ClaimedRequest } from './idempotency.js';
import type { ParsedBody } from './json-body.js';
import { compileSchema } from './json-schema.js';
import type { Faults, PathParameters, QueryParameters, RawQuery, ValuesOf } from './parameters.js';
import { invalidRequest, notFound } from './problem.js';

/** An endpoint declaration with everything that is made of it once, at start. */
export type CompiledEndpoint = {
  readonly declared: DeclaredEndpoint;
  readonly body: BodyReader | null;
  /** Whether a success body is what the declaration says. */
  readonly isResponse: (data: unknown) => boolean;
};

/** Compiles a declaration; throws, naming the route, for what cannot be. */
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
    body: declared.body === undefined ? null : bodyReader(bodyClass(declared)),
    isResponse: declared.response === undefined ? () => true : compileSchema(declared.response),
  };
}

/** Every `:name` of the successor's path is one of the path itself. */
function requireSuccessor({ deprecated, method, paths }: DeclaredEndpoint, inPath: readonly string[]): void {
  if (deprecated === undefined) return;
  const { successor } = deprecated;
  const unknown = [...successor.matchAll(/:(\w+)/g)].filter(([, name = '']) => !inPath.includes(name));
  if (!successor.startsWith('/') || unknown.length > 0) {
    throw new Error(`${method} ${paths.join()}: cannot fill its successor ${successor}`);
  }
}

/** The class of a declared body; throws for what is none. */
export function bodyClass({ body, method, paths }: DeclaredEndpoint): new () => object {
  if (typeof body !== 'function') throw new Error(`${method} ${paths.join()}: the body is not a class`);
  return body as new () => object;
}

/** What of a raw request the preparation looks at. */
export type RawRequest = {
  readonly requestId: string;
  readonly params: { readonly [name: string]: string };
  readonly query: RawQuery;
  readonly body: ParsedBody | undefined;
  readonly traceparent: string | undefined;
  /** Of an earlier attempt at the same request, where it has an Idempotency-Key. */
  readonly claim: Pick<ClaimedRequest, 'commandId' | 'mayBeDoneSince'> | null;
  /** Media types that the caller takes; empty where it does not say. */
  readonly accept: string;
};

/** Checks path, query and body in this order (OP-01, step 4) and gives the handler's request. */
export function prepareRequest(
  { declared, body }: CompiledEndpoint,
  raw: RawRequest,
  caller: ApiKeyOwner | null,
): EndpointRequest<object | undefined, QueryParameters, PathParameters> | PublicRequest {
  const params = readParams(declared.params ?? {}, raw.params);
  const query = readQuery(declared.query ?? {}, raw.query);
  const { requestId } = raw;
  if (caller === null) return { requestId, params, query, prefersHtml: raw.accept.includes('text/html') };
  return {
    workspaceId: caller.workspaceId,
    apiKeyId: caller.keyId,
    requestId,
    context: contextOf(raw, caller),
    params,
    query,
    body: body === null ? undefined : readBody(body, raw.body, declared.invalidBody ?? 422),
  };
}

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

function contextOf({ requestId, traceparent, claim }: RawRequest, caller: ApiKeyOwner): CommandContext {
  const context: CommandContext = {
    commandId: claim?.commandId ?? randomUUID(),
    ...(claim === null ? {} : { mayBeDoneSince: claim.mayBeDoneSince }),
    actor: { kind: 'apiKey', id: String(caller.keyId) },
    workspaceId: caller.workspaceId,
    correlationId: requestId,
  };
  return traceparent !== undefined && TRACEPARENT.test(traceparent) ? { ...context, traceparent } : context;
}

function readParams(declared: PathParameters, raw: RawRequest['params']): ValuesOf<PathParameters> {
  const values: Record<string, unknown> = {};
  const faults: Faults = new Map();
  let unknown = false;
  for (const [name, parameter] of Object.entries(declared)) {
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
  const values: Record<string, unknown> = {};
  const faults: Faults = new Map();
  let status: 400 | 422 | null = null;
  for (const [name, parameter] of Object.entries(declared)) {
    const before = faults.size;
    values[name] = parameter.read(name, raw, faults);
    if (faults.size > before) status ??= parameter.invalid;
  }
  if (status !== null) throw invalidRequest('query', status, faults);
  return values;
}

function readBody(reader: BodyReader, parsed: ParsedBody | undefined, invalid: 400 | 422): object {
  const value = parsed?.value === undefined ? {} : parsed.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('body', invalid, undefined, 'The request body must be a JSON object.');
  }
  const faults: Faults = new Map();
  const body = reader.read(value, parsed?.escapes ?? false, faults);
  if (body === null) throw invalidRequest('body', invalid, faults);
  return body;
}

/** The success statuses that a declaration allows. */
export function successStatuses({ status, otherStatuses }: DeclaredEndpoint): readonly number[] {
  return [status ?? 200, ...(otherStatuses ?? [])];
}
