import { successStatuses, type CompiledEndpoint } from './compiled-endpoint.js';
import type { JsonSchema } from './parameters.js';
import { problemTypes, statusOf } from './problem.js';

type Documented = { readonly [key: string]: unknown };

/** The OpenAPI 3.1 document of these endpoints, made of their declarations and nothing else. */
export function openApiDocument(endpoints: Iterable<CompiledEndpoint>, version: string): Documented {
  const paths: Record<string, Record<string, Documented>> = {};
  for (const endpoint of endpoints) {
    for (const path of endpoint.declared.paths) {
      const operations = (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {});
      operations[endpoint.declared.method.toLowerCase()] = operation(endpoint, path);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Signal Detection API',
      version,
      description: 'Signals about companies and people, and the credits they cost.',
    },
    paths: Object.fromEntries(Object.entries(paths).sort(([left], [right]) => (left < right ? -1 : 1))),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'API key of a workspace' } },
      schemas: { Problem: problemSchema },
    },
  };
}

const problemSchema: JsonSchema = {
  type: 'object',
  description: 'Problem document (RFC 9457)',
  required: ['type', 'title', 'status', 'detail', 'instance'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    errors: {
      description: 'Messages by property or parameter; a list of row errors where a route says so',
      type: ['object', 'array'],
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
};

function operation({ declared, body }: CompiledEndpoint, path: string): Documented {
  const { summary, description, deprecated, access } = declared;
  return {
    operationId: `${declared.method.toLowerCase()} ${path}`.replace(/\W+/g, '_').replace(/_$/, ''),
    tags: [tagOf(path)],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated: true }),
    security: access === 'apiKey' ? [{ apiKey: [] }] : [],
    parameters: parametersOf({ declared }),
    ...(body === null ? {} : { requestBody: { content: { 'application/json': { schema: body.schema } } } }),
    responses: { ...successes({ declared }), ...problems({ declared, body }) },
  };
}

/** First path segment after the version: the resource, or its area. */
function tagOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith(':'));
  return (segments[0] === 'api' ? segments[2] : segments[0]) ?? 'api';
}

function parametersOf({ declared }: Pick<CompiledEndpoint, 'declared'>): readonly Documented[] {
  const inPath = Object.entries(declared.params ?? {}).map(([name, { schema }]) => ({
    name,
    in: 'path',
    required: true,
    schema,
  }));
  const inQuery = Object.entries(declared.query ?? {}).flatMap(([name, parameter]) =>
    parameter.document(name).map((document) => ({ in: 'query', ...document })),
  );
  return [...inPath, ...inQuery];
}

function successes({ declared }: Pick<CompiledEndpoint, 'declared'>): Record<string, Documented> {
  const { response } = declared;
  const content = response === undefined ? {} : { content: { 'application/json': { schema: response } } };
  return Object.fromEntries(
    successStatuses(declared).map((status) => [String(status), { description: 'Done', ...content }]),
  );
}

/** Declared refusals and what the edge itself answers: each status once, with what can be behind it. */
function problems({
  declared,
  body,
}: Pick<CompiledEndpoint, 'declared' | 'body'>): Record<string, Documented> {
  const details = new Map<number, Set<string>>();
  const add = (status: number, detail: string): void => {
    details.set(status, (details.get(status) ?? new Set()).add(detail));
  };
  for (const { kind, detail } of declared.problems ?? []) add(statusOf(kind), detail);
  for (const { invalid } of Object.values(declared.query ?? {}))
    add(invalid, 'A query parameter is not valid.');
  for (const { invalid } of Object.values(declared.params ?? {})) {
    add(404, 'The resource does not exist.');
    if (invalid === 400) add(400, 'A path parameter is not valid.');
  }
  if (body !== null) {
    add(400, 'The request body is not JSON or too large.');
    add(declared.invalidBody ?? 422, 'The request body is not valid.');
  }
  if (declared.access === 'apiKey') {
    add(401, meaningOf('unauthorized'));
    add(429, meaningOf('rate-limit-exceeded'));
  }
  add(500, meaningOf('internal-server-error'));
  add(503, meaningOf('service-unavailable'));
  return Object.fromEntries(
    [...details]
      .sort(([left], [right]) => left - right)
      .map(([status, sentences]) => [
        String(status),
        {
          description: [...sentences].join(' '),
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
  );
}

function meaningOf(slug: string): string {
  return problemTypes[slug]?.meaning ?? slug;
}
