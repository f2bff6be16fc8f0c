import { pascalCase } from '#kernel/values/capitalized.js';
import { isObject } from '#kernel/values/json.js';
import { writes, type DeclaredEndpoint } from './endpoint.js';
import { takesIdempotencyKey } from './idempotency.js';
import { unknownStatuses } from './ignored-fields.js';
import type { SchemaComponents } from './openapi-components.js';
import { closedSchema } from './openapi-schemas.js';
import type { JsonSchema } from './parameters.js';
import { isLimited } from './rate-limit.js';
import { problemTypes, slugOf, statusOf, v3TitlesOf } from './problem.js';

/** The problems with one status of one endpoint. */
export type ProblemsBehind = {
  /** Sentences for the reader. */
  readonly details: ReadonlySet<string>;
  /** The v2 slugs of these problems. */
  readonly slugs: ReadonlySet<string>;
  /** The v3 titles of these problems. */
  readonly titles: ReadonlySet<string>;
};

/** Every problem status of an endpoint, without duplicates: declared refusals and those of the HTTP layer. */
export function problemsOf(declared: DeclaredEndpoint): ReadonlyMap<number, ProblemsBehind> {
  const behind = new Map<number, { details: Set<string>; slugs: Set<string>; titles: Set<string> }>();
  const add = (status: number, detail: string, slug?: string, title?: string): void => {
    const known = behind.get(status) ?? { details: new Set(), slugs: new Set(), titles: new Set() };
    behind.set(status, known);
    known.details.add(detail);
    known.slugs.add(slug ?? slugOf({ status }));
    for (const each of title === undefined ? v3TitlesOf(status) : [title]) known.titles.add(each);
  };
  for (const { kind, detail, slug, title } of declared.problems ?? []) {
    add(statusOf(kind), detail, slug, title);
  }
  for (const { invalid } of Object.values(declared.query ?? {})) {
    add(invalid, 'A query parameter is not valid.');
  }
  for (const { invalid } of Object.values(declared.params ?? {})) {
    add(404, 'The resource does not exist.');
    if (invalid === 400) add(400, 'A path parameter is not valid.');
  }
  // a body is read if the method may have one, whether or not the endpoint takes it
  if (declared.method !== 'GET') add(400, 'The request body is not JSON, or too large.');
  if (declared.body !== undefined) add(declared.invalidBody ?? 422, 'The request body is not valid.');
  if (takesIdempotencyKey(declared)) {
    add(400, 'The Idempotency-Key is not valid.');
    add(409, 'A request with the same Idempotency-Key is under way.');
    add(422, 'The Idempotency-Key came with another request before.');
    add(429, 'The workspace has too many live Idempotency-Keys.');
  }
  if (declared.caller === 'apiKey') {
    const unknown = unknownStatuses(declared);
    add(unknown.query, 'A query parameter is not known, and strict handling is preferred.');
    if (declared.method !== 'GET')
      add(unknown.body, 'A field is not known, and strict handling is preferred.');
    add(401, meaningOf('unauthorized'));
    if (writes(declared)) add(403, 'The API key only reads.');
  }
  if (isLimited(declared)) add(429, meaningOf('rate-limit-exceeded'));
  add(500, meaningOf('internal-server-error'));
  add(503, meaningOf('service-unavailable'));
  return new Map([...behind].sort(([left], [right]) => left - right));
}

/** The problem document (RFC 9457) for one status of an endpoint, in the dialect of its path. */
export function problemSchema(
  declared: DeclaredEndpoint,
  { status, isV3 }: { readonly status: number; readonly isV3: boolean },
  { slugs, titles }: ProblemsBehind,
  components: SchemaComponents,
): JsonSchema {
  const members = [...slugs].map((slug) => problemTypes[slug]?.members ?? {});
  const errors = errorsSchema(status === 422 ? declared : null);
  return {
    allOf: [components.refer(PROBLEM, 'Problem')],
    properties: {
      type: isV3
        ? { const: 'about:blank' }
        : { type: 'string', pattern: `/errors/(${[...slugs].sort().join('|')})$` },
      title: { enum: isV3 ? [...titles].sort() : [...slugs].map(titleOf).sort() },
      status: { const: status },
      ...(status === 400 || status === 422
        ? {
            errors: {
              ...components.refer(errors, 'Faults'),
              description: 'The faults by the name of the field or parameter.',
            },
          }
        : {}),
      ...(status === 422 && rowErrorsOf(declared) !== null ? { data: NOTHING_DONE } : {}),
      ...Object.fromEntries(
        members
          .flatMap((each) => Object.entries(each))
          .map(([name, each]) => [name, components.refer(each, `Problem${pascalCase(name)}`)]),
      ),
    },
    unevaluatedProperties: false,
  };
}

/** The common part of all problem documents (RFC 9457). */
const PROBLEM: JsonSchema = {
  title: 'Problem',
  description: 'A problem document (RFC 9457): why a request was not carried out.',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance'],
  properties: {
    type: {
      type: 'string',
      description:
        'Type of the problem: on paths of v2 the address of its description, on paths of v3 `about:blank`.',
      examples: ['https://docs.example.com/errors/not-found'],
    },
    title: {
      type: 'string',
      description:
        'The kind of problem in words; the same for each of a kind, so that programs can tell them apart.',
      examples: ['Not Found'],
    },
    status: {
      type: 'integer',
      minimum: 400,
      maximum: 599,
      description: 'The status of the answer again.',
      examples: [404],
      'x-unit': 'HTTP status',
    },
    detail: {
      type: 'string',
      minLength: 1,
      description: 'Description of this occurrence for people.',
      examples: ['There is no agent with this id in the workspace.'],
    },
    instance: { type: 'string', description: 'Path of the request.', examples: ['/api/v2/agents/12'] },
  },
};

const NOTHING_DONE: JsonSchema = {
  type: 'array',
  items: {},
  maxItems: 0,
  description: 'Empty: nothing was done.',
  examples: [[]],
};

const NAMED_FAULTS: JsonSchema = {
  title: 'NamedFaults',
  type: 'object',
  description: 'Messages by property or parameter; entries of arrays by their index, `members.0.domain`.',
  examples: [{ page_size: ['must be at most 100'] }],
  minProperties: 1,
  additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
};

function errorsSchema(declared: DeclaredEndpoint | null): JsonSchema {
  const rows = declared === null ? null : rowErrorsOf(declared);
  return rows === null ? NAMED_FAULTS : { oneOf: [NAMED_FAULTS, rows] };
}

/** An endpoint that reports errors row by row answers the same rows if every row failed. */
function rowErrorsOf({ response }: DeclaredEndpoint): JsonSchema | null {
  const properties: unknown = response?.['properties'];
  const rows = isObject(properties) ? properties['errors'] : undefined;
  return isObject(rows) ? closedSchema(rows) : null;
}

/** Answers with the same meaning on every endpoint, by status. */
const COMMON: { readonly [status: number]: string } = {
  401: 'Unauthorized',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

/** The component name for answers with this status, or null if they are specific to an endpoint. */
export function commonName(status: number, isV3: boolean): string | null {
  const name = COMMON[status];
  return name === undefined ? null : `${name}${isV3 ? 'V3' : 'V2'}`;
}

const titleOf = (slug: string): string => problemTypes[slug]?.title ?? slug;
const meaningOf = (slug: string): string => problemTypes[slug]?.meaning ?? slug;
