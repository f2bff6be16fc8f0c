import { shapeOf, toDocumentedSchema } from './body-shape.js';
import { bodyClass, successStatuses } from './compiled-endpoint.js';
import type { DeclaredEndpoint } from './endpoint.js';
import { takesIdempotencyKey } from './idempotency.js';
import { headerComponents, headersOf } from './openapi-headers.js';
import { commonName, describe, problemSchema, problemsOf } from './openapi-problems.js';
import { closedSchema, type Documented } from './openapi-schemas.js';

/** What one route was sent and answered once: shown beside its schemas. */
export type RouteExample = { readonly request?: unknown; readonly response?: unknown };

/** Examples by route as it is declared: method and path with `:names`. */
export type RouteExamples = { readonly [route: string]: RouteExample };

export type OpenApiOptions = {
  /** Version of the product. */
  readonly version: string;
  readonly examples?: RouteExamples;
};

/** The OpenAPI 3.1 document of these endpoints, made of their declarations and nothing else. */
export function openApiDocument(
  endpoints: Iterable<DeclaredEndpoint>,
  { version, examples = {} }: OpenApiOptions,
): Documented {
  const paths: Record<string, Record<string, Documented>> = {};
  const common: Record<string, Documented> = {};
  const tags = new Set<string>();
  for (const declared of endpoints) {
    for (const path of declared.paths) {
      const operations = (paths[templateOf(path)] ??= {});
      operations[declared.method.toLowerCase()] = operation(declared, path, examples, common);
      tags.add(tagOf(path));
    }
  }
  const usedHeaders = new Set(
    JSON.stringify([paths, common]).match(/(?<=components\/headers\/)[\w-]+/g) ?? [],
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Signal Detection API',
      version,
      description:
        'Signals about companies and people, and the credits they cost. Errors are problem documents (RFC 9457). ' +
        'What is not HTTP and headers that are too long are answered with 400 on every path; so is a path that is ' +
        'not valid percent-encoding, after the key was asked for; a method that a path does not have with 405 and `Allow`; HEAD as GET without the body.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...tags].sort().map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).sort(([left], [right]) => (left < right ? -1 : 1))),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'API key of a workspace' } },
      ...(Object.keys(common).length === 0 ? {} : { responses: common }),
      headers: Object.fromEntries(
        Object.entries(headerComponents()).filter(([name]) => usedHeaders.has(name)),
      ),
    },
  };
}

/** The path as OpenAPI writes it: `:name` becomes `{name}`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function operation(
  declared: DeclaredEndpoint,
  path: string,
  examples: RouteExamples,
  common: Record<string, Documented>,
): Documented {
  const { summary, description, deprecated, caller } = declared;
  const example = examples[`${declared.method} ${path}`] ?? {};
  return {
    operationId: operationIdOf(declared, path),
    tags: [tagOf(path)],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated: true }),
    security: caller === 'apiKey' ? [{ apiKey: [] }] : [],
    parameters: parametersOf(declared),
    ...(declared.body === undefined ? {} : { requestBody: requestBody(declared, example) }),
    responses: { ...successes(declared, example), ...problems(declared, path, common) },
  };
}

function operationIdOf({ method }: DeclaredEndpoint, path: string): string {
  return `${method.toLowerCase()} ${path}`.replace(/\W+/g, '_').replace(/_$/, '');
}

/** First path segment after the version: the resource, or its area. */
function tagOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith(':'));
  const [first, , third = 'api'] = segments;
  if (first !== 'api') return 'service';
  return third === 'workspace' ? (segments[3] ?? third) : third;
}

function parametersOf(declared: DeclaredEndpoint): readonly Documented[] {
  const inPath = Object.entries(declared.params ?? {}).map(([name, { schema }]) => ({
    name,
    in: 'path',
    required: true,
    schema,
  }));
  const inQuery = Object.entries(declared.query ?? {}).flatMap(([name, parameter]) =>
    parameter.document(name).map((document) => ({ in: 'query', ...document })),
  );
  return [
    ...inPath,
    ...inQuery,
    ...(takesIdempotencyKey(declared) ? [IDEMPOTENCY_KEY] : []),
    ...(declared.caller === 'apiKey' ? [PREFER] : []),
  ];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key with the same request within 24 h is answered as the first time',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

const PREFER = {
  name: 'Prefer',
  in: 'header',
  description:
    'With `handling=strict` a field or parameter that nobody knows is refused instead of ignored (RFC 7240)',
  schema: { type: 'string', examples: ['handling=strict'] },
};

function requestBody(declared: DeclaredEndpoint, { request }: RouteExample): Documented {
  const schema = toDocumentedSchema(shapeOf(bodyClass(declared)));
  const required = Array.isArray(schema['required']) && schema['required'].length > 0;
  return {
    required,
    content: { 'application/json': { schema, ...(request === undefined ? {} : { example: request }) } },
  };
}

function successes(declared: DeclaredEndpoint, { response: example }: RouteExample): Documented {
  const { response, html } = declared;
  return Object.fromEntries(
    successStatuses(declared).map((status, index) => {
      const shown = index > 0 || example === undefined ? {} : { example };
      const media = {
        ...(response === undefined
          ? {}
          : { 'application/json': { schema: closedSchema(response), ...shown } }),
        ...(html === undefined ? {} : { 'text/html': { schema: { type: 'string' } } }),
      };
      const content = Object.keys(media).length === 0 ? {} : { content: media };
      return [
        String(status),
        { description: MEANINGS[status], headers: headersOf(declared, status), ...content },
      ];
    }),
  );
}

const MEANINGS: { readonly [status: number]: string } = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: the work goes on',
  204: 'Done; there is nothing to say',
};

function problems(declared: DeclaredEndpoint, path: string, common: Record<string, Documented>): Documented {
  const isV3 = path.startsWith('/api/v3/');
  return Object.fromEntries(
    [...problemsOf(declared)].map(([status, behind]) => {
      const answer = {
        description: describe(behind),
        headers: headersOf(declared, status),
        content: {
          'application/problem+json': { schema: problemSchema(declared, status, behind, isV3) },
        },
      };
      const name = declared.caller === 'apiKey' && !declared.deprecated ? commonName(status, isV3) : null;
      if (name === null) return [String(status), answer];
      common[name] = answer;
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}
