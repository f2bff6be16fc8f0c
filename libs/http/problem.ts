import { HttpException } from '@nestjs/common';
import { UnreadableEvent } from '#kernel/events/event-codec.js';
import { AppendTooLarge, StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { ReadModelUnavailable } from '#kernel/ports/read-store.port.js';
import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import { Refusal, type RefusalKind } from '#kernel/values/refusal.js';

/** The faulty part of the request; it names v3's 400s. */
export type FaultPlace = 'path' | 'query' | 'body';

/** An error as the caller will see it, independent of the two dialects. */
export type Problem = {
  readonly status: number;
  readonly detail: string;
  /** The v3 title if it differs from that of the status. */
  readonly title?: string;
  /** The v2 slug if it differs from that of the status. */
  readonly slug?: string;
  readonly place?: FaultPlace;
  readonly errors?: ReadonlyMap<string, readonly string[]>;
  readonly members?: { readonly [member: string]: JsonValue };
  readonly headers?: { readonly [name: string]: string };
};

/** Thrown by the HTTP layer for requests that reach no rule: invalid syntax, no key, unknown route. */
export class RequestRefused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
    this.name = 'RequestRefused';
  }
}

/** The request is well-formed but invalid. */
export function invalidRequest(
  place: FaultPlace,
  status: 400 | 422,
  errors?: ReadonlyMap<string, readonly string[]>,
  detail: string = placeDetails[place],
): RequestRefused {
  return new RequestRefused({ status, place, detail, ...(errors === undefined ? {} : { errors }) });
}

const placeDetails: { readonly [Place in FaultPlace]: string } = {
  path: 'The path parameters are not valid.',
  query: 'The query parameters are not valid.',
  body: 'The request body is not valid.',
};

/** The caller is not authenticated; `needs` names the required credential. */
export const unauthorized = (needs: string): RequestRefused =>
  new RequestRefused({
    status: 401,
    detail: needs,
    headers: { 'WWW-Authenticate': 'Bearer' },
  });

/** The API key is read-only. */
export const keyReadsOnly = (): RequestRefused =>
  new RequestRefused({ status: 403, detail: 'This API key only reads.' });

export const notFound = (detail = 'The resource does not exist.'): RequestRefused =>
  new RequestRefused({ status: 404, detail });

export const methodNotAllowed = (allowed: readonly string[]): RequestRefused =>
  new RequestRefused({
    status: 405,
    detail: `This path answers ${allowed.join(', ')}.`,
    headers: { Allow: allowed.join(', ') },
  });

/** Too many requests; `retryAfterSeconds` is when to retry. */
export const tooManyRequests = (retryAfterSeconds: number): RequestRefused =>
  new RequestRefused({
    status: 429,
    detail: `Too many requests: try again in ${retryAfterSeconds} s.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });

/** Too many headers. */
export const tooManyHeaders = (most: number): RequestRefused =>
  new RequestRefused({ status: 431, detail: `The request has more than ${most} headers.` });

export const unavailable = (
  detail: string,
  members: { readonly [member: string]: JsonValue } = {},
): RequestRefused => new RequestRefused({ status: 503, detail, members, headers: { 'Retry-After': '1' } });

const statuses: { readonly [Kind in RefusalKind]: number } = {
  unacceptable: 400,
  unpayable: 402,
  forbidden: 403,
  missing: 404,
  conflicting: 409,
  gone: 410,
  unprocessable: 422,
};

/** The status of a refusal of this kind. */
export function statusOf(kind: RefusalKind): number {
  return statuses[kind];
}

/** The problem for an error of any origin. An error that is not attributed to the caller is a 500. */
export function problemOf(error: unknown): Problem {
  if (error instanceof RequestRefused) return error.problem;
  if (error instanceof Refusal) {
    const { kind, title, slug } = error.declaration;
    const { errors, members } = error.details;
    return {
      status: statuses[kind],
      detail: error.message,
      ...(title === undefined ? {} : { title }),
      ...(slug === undefined ? {} : { slug }),
      ...(errors === undefined || errors.size === 0 ? {} : { errors }),
      ...(members === undefined ? {} : { members }),
    };
  }
  if (error instanceof ReadModelUnavailable) {
    return unavailable('A read model that this needs cannot answer at the moment; try again.').problem;
  }
  if (error instanceof StoreUnavailable) {
    return unavailable('The service cannot reach its store at the moment; try again.').problem;
  }
  if (error instanceof StoreUnusable) {
    return unavailable('A store that this needs is damaged; its operator must act.').problem;
  }
  // a newer version or another program wrote it, and a decision without it could be wrong
  if (error instanceof UnreadableEvent) {
    return unavailable(
      'A record that this needs cannot be read by the version that runs; its operator must act.',
    ).problem;
  }
  // the size of an append depends on what the caller sent
  if (error instanceof AppendTooLarge) {
    return { status: 400, place: 'body', detail: 'The request carries more than can be recorded at once.' };
  }
  const status = clientStatusOf(error);
  if (status === null) return { status: 500, detail: 'An unexpected error occurred.' };
  if (status === 404) return notFound('There is nothing at this path.').problem;
  const detail = status === 413 ? 'The request body is too large.' : 'The request body cannot be read.';
  return { status: 400, place: 'body', detail };
}

/** The status of an error that the framework attributes to the caller (413, 415, bad URL, …), or null. */
function clientStatusOf(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus() < 500 ? error.getStatus() : null;
  if (!(error instanceof Error) || !('statusCode' in error) || !('code' in error)) return null;
  const { statusCode, code } = error;
  const fromFastify = typeof code === 'string' && code.startsWith('FST_ERR');
  return fromFastify && typeof statusCode === 'number' && statusCode < 500 ? statusCode : null;
}

const slugs: { readonly [status: number]: string } = {
  400: 'bad-request',
  401: 'unauthorized',
  402: 'insufficient-credits',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  409: 'conflict',
  410: 'gone',
  422: 'unprocessable-entity',
  429: 'rate-limit-exceeded',
  431: 'request-header-fields-too-large',
  500: 'internal-server-error',
  503: 'service-unavailable',
};

const TEXTS = { type: 'array', items: { type: 'string' } };

const CAP = {
  scope: 'workspace',
  scope_id: null,
  id: 3,
  period: 'month',
  limit: 500,
  spent: 495,
  resets_at: '2026-08-01T00:00:00.000Z',
};

const CREDITS_REQUIRED = {
  type: 'number',
  minimum: 0,
  description: 'What the call needs. Unit: credits.',
  examples: [10],
  'x-unit': 'credits',
};
const CREDITS_HELD = {
  type: 'number',
  minimum: 0,
  description: 'What is reserved for work under way. Unit: credits.',
  examples: [20],
  'x-unit': 'credits',
};

/** All problem types of v2: title, meaning for the caller, and extension members. */
export const problemTypes: {
  readonly [slug: string]: {
    readonly title: string;
    readonly meaning: string;
    /** JSON Schemas of the extension members by name. */
    readonly members?: { readonly [member: string]: JsonObject };
  };
} = {
  'bad-request': {
    title: 'Bad Request',
    meaning: 'The request cannot be read or breaks a rule of its endpoint; `errors` names what.',
  },
  gone: {
    title: 'Gone',
    meaning: 'The resource existed and does not exist any more; the detail says how to continue.',
  },
  'cursor-gone': {
    title: 'Cursor gone',
    meaning: 'No event of the feed has this id: begin again with the oldest cursor, or without one.',
    members: {
      oldest_cursor: {
        type: ['string', 'null'],
        description: 'The id of the oldest event in the feed; null if it is empty.',
        examples: ['evt_0b0e8b1c4d7a4c0e9f5a2d3c4b5a6978_0'],
      },
    },
  },
  unauthorized: { title: 'Unauthorized', meaning: 'The API key is missing, unknown or revoked.' },
  'insufficient-credits': {
    title: 'Insufficient credits',
    meaning: 'The balance does not cover the call; nothing was charged and nothing was started.',
    members: {
      credits_required: CREDITS_REQUIRED,
      credits_available: {
        type: 'number',
        description: 'What can be spent. Unit: credits.',
        examples: [4.5],
        'x-unit': 'credits',
      },
      credits_held: CREDITS_HELD,
    },
  },
  'cap-reached': {
    title: 'Cap reached',
    meaning: 'A cap on spending does not allow the call; nothing was charged and nothing was started.',
    members: {
      credits_required: CREDITS_REQUIRED,
      credits_available: {
        type: 'number',
        description: 'What the balance could pay. Unit: credits.',
        examples: [941.5],
        'x-unit': 'credits',
      },
      credits_held: CREDITS_HELD,
      cap: {
        type: 'object',
        description:
          'The narrowest cap that refuses: its scope, id, period, limit, spent credits, and reset time.',
        examples: [CAP],
      },
      other_caps: {
        type: 'array',
        items: { type: 'object' },
        description: 'The other caps that refuse, narrowest first.',
        examples: [[]],
      },
    },
  },
  forbidden: { title: 'Forbidden', meaning: 'The workspace may not do this, or the API key is read-only.' },
  'top-account-quota-exceeded': {
    title: 'Top account quota exceeded',
    meaning: 'The accounts do not fit into the quota of the workspace; none was added.',
  },
  'not-found': {
    title: 'Not Found',
    meaning: 'There is no such path, or no such resource in the workspace of the key.',
  },
  'method-not-allowed': {
    title: 'Method Not Allowed',
    meaning: 'The path exists; `Allow` lists its methods.',
  },
  'request-timeout': { title: 'Request Timeout', meaning: 'The request did not arrive in time.' },
  conflict: { title: 'Conflict', meaning: 'The resource is in a state that does not allow this now.' },
  'quote-outdated': {
    title: 'Quote outdated',
    meaning:
      'What was quoted has changed or the quote has expired: ask for another quote. Nothing was started.',
  },
  'quote-used': {
    title: 'Quote used',
    meaning: 'A launch was made with this quote before; nothing was started now.',
    members: {
      signal_request_ids: {
        type: 'array',
        items: { type: 'integer', minimum: 1 },
        description: 'The signal runs of the launch that used it.',
        examples: [[91]],
      },
    },
  },
  'unprocessable-entity': {
    title: 'Unprocessable Entity',
    meaning: 'The request is readable but not valid; `errors` names each property.',
  },
  'persona-incomplete': {
    title: 'Persona incomplete',
    meaning: 'A persona with at least one job title and one location is needed first.',
  },
  'no-persona-launchable': {
    title: 'No persona launchable',
    meaning: 'No persona can be mapped; `launches` says why for each.',
    members: {
      launches: {
        type: 'array',
        items: { type: 'object' },
        description: 'The outcome for each persona, as in a successful response.',
        examples: [[{ persona_id: 3, request_id: null, status: 'skipped_no_location', credits: 0 }]],
      },
    },
  },
  'rate-limit-exceeded': { title: 'Too Many Requests', meaning: 'Wait for the seconds in `Retry-After`.' },
  'request-header-fields-too-large': {
    title: 'Request Header Fields Too Large',
    meaning: 'The request has more headers than the limit; none of them was processed.',
  },
  'internal-server-error': {
    title: 'Internal Server Error',
    meaning: 'A fault of the service; X-Request-Id names it in the log.',
  },
  'service-unavailable': {
    title: 'Service Unavailable',
    meaning: 'The service cannot work at the moment; try again after `Retry-After` seconds.',
    members: {
      reasons: {
        ...TEXTS,
        description: 'Why the process is not ready.',
        examples: [['network store: the file is gone']],
      },
      degraded: {
        ...TEXTS,
        description: 'Degraded parts that do not affect readiness.',
        examples: [['detections: 3 s behind']],
      },
      stores: {
        ...TEXTS,
        description: 'Each store and its kind.',
        examples: [['events: sqlite']],
      },
      log: {
        type: 'string',
        description: 'The identity of the log of events that the process reads.',
        examples: ['0f8fad5b-d9cb-469f-a165-70867728950e'],
      },
    },
  },
};

const placeTitles: { readonly [Place in FaultPlace]: string } = {
  path: 'Invalid path parameters',
  query: 'Invalid query parameters',
  body: 'Invalid request body',
};

/** The request that a problem answers. */
export type ProblemRequest = { readonly method: string; readonly url: string };

/** The path as sent, without the query string. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** The slug that names a problem in v2, in logs and in metrics. */
export function slugOf(problem: Pick<Problem, 'status' | 'slug'>): string {
  return problem.slug ?? slugs[problem.status] ?? 'bad-request';
}

/** The problem document (RFC 9457) as JSON text, in the dialect of the path (OP-03). */
export function problemDocument(problem: Problem, asked: ProblemRequest, docsUrl: string): string {
  const instance = pathOf(asked.url);
  const slug = slugOf(problem);
  const usual = problemTypes[slug]?.title ?? 'Bad Request';
  const isV3 = /^\/+api\/v3(\/|$)/.test(instance);
  // null prototypes: callers choose the names in `errors`, for example `__proto__`
  const document: Record<string, unknown> = Object.create(null);
  document['type'] = isV3 ? 'about:blank' : `${docsUrl}/errors/${slug}`;
  document['title'] = isV3 ? v3Title(problem, asked.method) : usual;
  document['status'] = problem.status;
  document['detail'] = problem.detail;
  document['instance'] = instance;
  if (problem.errors !== undefined) document['errors'] = plain(problem.errors);
  for (const [name, value] of Object.entries(problem.members ?? {})) {
    if (!fixedMembers.has(name)) document[name] = value;
  }
  return JSON.stringify(document);
}

const fixedMembers = new Set(['type', 'title', 'status', 'detail', 'instance']);

function v3Title({ status, title, place }: Problem, method: string): string {
  if (title !== undefined) return title;
  if (status !== 400) return problemTypes[slugs[status] ?? '']?.title ?? 'Bad Request';
  return placeTitles[place ?? (method === 'GET' || method === 'HEAD' ? 'query' : 'body')];
}

/** The v3 titles of a status that are not specific to a refusal. */
export function v3TitlesOf(status: number): readonly string[] {
  return status === 400
    ? Object.values(placeTitles)
    : [problemTypes[slugs[status] ?? '']?.title ?? 'Bad Request'];
}

function plain(errors: ReadonlyMap<string, readonly string[]>): Record<string, readonly string[]> {
  const object: Record<string, readonly string[]> = Object.create(null);
  for (const [name, messages] of errors) object[name] = messages;
  return object;
}
