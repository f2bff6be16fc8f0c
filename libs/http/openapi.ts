import { pascalCase } from '#kernel/values/capitalized.js';
import { shapeOf, toDocumentedSchema } from './body-shape.js';
import { bodyClass, successStatuses } from './compiled-endpoint.js';
import type { DeclaredEndpoint } from './endpoint.js';
import { takesIdempotencyKey } from './idempotency.js';
import { describedBy, taggedBy, type Guides } from './guides.js';
import { headerComponents, headersOf } from './openapi-headers.js';
import { commonName, problemSchema, problemsOf } from './openapi-problems.js';
import { schemaComponents, type SchemaComponents } from './openapi-components.js';
import { closedSchema, type Documented } from './openapi-schemas.js';
import type { ParameterDocument } from './parameters.js';
import { samplesOf } from './openapi-samples.js';
import { webhooksOf, type DeclaredWebhook } from './openapi-webhooks.js';
import { noReference, type Reference } from './reference.js';

/** A recorded request and answer of a route: shown beside its schemas. */
export type RouteExample = { readonly request?: unknown; readonly response?: unknown };

/** Examples by declared route: method and path with `:names`. */
export type RouteExamples = { readonly [route: string]: RouteExample };

export type OpenApiOptions = {
  /** Version of the product. */
  readonly version: string;
  readonly examples?: RouteExamples;
  /** The meanings of fields and parameters; absent: none. */
  readonly reference?: Reference;
  /** Texts before the operations; absent: none. */
  readonly guides?: Guides;
  /** Requests from this service to addresses of the caller. */
  readonly webhooks?: readonly DeclaredWebhook[];
};

const NO_GUIDES: Guides = { description: '', after: '', groups: {} };

/** The inputs of one document. */
type Making = {
  readonly examples: RouteExamples;
  readonly reference: Reference;
  readonly components: SchemaComponents;
  /** Answers with the same meaning everywhere, by name. */
  readonly common: Record<string, Documented>;
};

/** The OpenAPI 3.1 document of these endpoints, derived only from their declarations. */
export function openApiDocument(
  endpoints: Iterable<DeclaredEndpoint>,
  { version, examples = {}, reference = noReference, guides, webhooks = [] }: OpenApiOptions,
): Documented {
  const paths: Record<string, Record<string, Documented>> = {};
  const common: Record<string, Documented> = {};
  const components = schemaComponents(reference);
  const making: Making = { examples, reference, components, common };
  const tags = new Set<string>();
  for (const declared of endpoints) {
    if (declared.protocol !== undefined) continue;
    for (const path of declared.paths) {
      const operations = (paths[templateOf(path)] ??= {});
      operations[declared.method.toLowerCase()] = operation(declared, path, making);
      tags.add(tagOf(path));
    }
  }
  const declaredWebhooks = webhooksOf(webhooks, components);
  const usedHeaders = new Set(
    JSON.stringify([paths, common]).match(/(?<=components\/headers\/)[\w-]+/g) ?? [],
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Signal Detection API',
      version,
      ...(guides === undefined ? {} : { description: describedBy(guides) }),
      contact: { name: 'The operator who gave you your key' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    ...taggedBy(guides ?? NO_GUIDES, tags),
    paths: Object.fromEntries(Object.entries(paths).sort(([left], [right]) => (left < right ? -1 : 1))),
    ...(webhooks.length === 0 ? {} : { webhooks: declaredWebhooks }),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'API key of a workspace' } },
      schemas: components.schemas(),
      ...(Object.keys(common).length === 0 ? {} : { responses: common }),
      headers: Object.fromEntries(Object.entries(headerComponents).filter(([name]) => usedHeaders.has(name))),
    },
  };
}

/** The path in the notation of OpenAPI: `:name` becomes `{name}`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function operation(declared: DeclaredEndpoint, path: string, making: Making): Documented {
  const { summary, deprecated, caller } = declared;
  const example = making.examples[`${declared.method} ${path}`] ?? {};
  const parameters = parametersOf(declared, operationIdOf(declared, path), making);
  return {
    operationId: operationIdOf(declared, path),
    tags: [tagOf(path)],
    summary,
    ...describedAs(declared),
    ...(deprecated === undefined ? {} : { deprecated: true }),
    security: caller === 'apiKey' ? [{ apiKey: [] }] : [],
    parameters,
    ...(declared.body === undefined ? {} : { requestBody: requestBody(declared, example, making) }),
    'x-codeSamples': samplesOf({
      method: declared.method,
      path: templateOf(path),
      keyed: caller === 'apiKey',
      parameters,
      ...(declared.body === undefined || example.request === undefined ? {} : { request: example.request }),
    }),
    responses: { ...successes(declared, path, example, making), ...problems(declared, path, making) },
  };
}

/** The description of an operation, with the successor of a deprecated one. */
function describedAs({ description, deprecated }: DeclaredEndpoint): Documented {
  const sentences = [
    ...(description === undefined ? [] : [description]),
    ...(deprecated === undefined ? [] : [`Use \`${templateOf(deprecated.successor)}\` instead.`]),
  ];
  return sentences.length === 0 ? {} : { description: sentences.join(' ') };
}

/** The operation id: the name of its class; for a second path of the class, with the version of that path. */
export function operationIdOf({ name, paths }: DeclaredEndpoint, path: string): string {
  const stem = name.replace(/Endpoint$/, '');
  const base = `${stem.charAt(0).toLowerCase()}${stem.slice(1)}`;
  if (paths.indexOf(path) <= 0) return base;
  return `${base}${/^\/api\/(v\d+)\//.exec(path)?.[1]?.toUpperCase() ?? 'Unversioned'}`;
}

/** First path segment after the version: the resource, or its area. */
function tagOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith(':'));
  const [first, , third = 'api'] = segments;
  if (first !== 'api') return 'service';
  return third === 'workspace' ? (segments[3] ?? third) : third;
}

function parametersOf(
  declared: DeclaredEndpoint,
  operation: string,
  { reference }: Making,
): readonly Documented[] {
  const described = ({ name, schema, description, ...rest }: ParameterDocument, place: 'path' | 'query') => {
    const { description: means, ...more } = reference.ofParameter(operation, { name, place, schema });
    const sentences = [means, description].filter((sentence) => sentence !== undefined);
    return {
      name,
      in: place,
      ...rest,
      ...(sentences.length === 0 ? {} : { description: sentences.join(' ') }),
      schema: { ...schema, ...more },
    };
  };
  const inPath = Object.entries(declared.params ?? {}).map(([name, { schema }]) =>
    described({ name, required: true, schema }, 'path'),
  );
  const inQuery = Object.entries(declared.query ?? {}).flatMap(([key, parameter]) =>
    parameter.document(key).map((document) => described(document, 'query')),
  );
  return [
    ...inPath,
    ...inQuery,
    ...(takesIdempotencyKey(declared) ? [IDEMPOTENCY_KEY] : []),
    ...(declared.caller === 'apiKey' ? [declared.isRunning === undefined ? PREFER : PREFER_WAIT] : []),
  ];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key with the same request within 24 h is answered as the first time',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x21-\\x7e]+$',
    examples: ['7f1c0a52-launch-agent-7'],
  },
};

const PREFER = {
  name: 'Prefer',
  in: 'header',
  description:
    'With `handling=strict` unknown fields and parameters are refused instead of ignored (RFC 7240)',
  schema: { type: 'string', examples: ['handling=strict'] },
};

const PREFER_WAIT = {
  ...PREFER,
  description:
    `${PREFER.description}. With \`wait=20\` the answer comes when nothing is running any more, at the latest after so ` +
    'many seconds (20 at most): then it is the answer of now, with `Retry-After`',
  schema: { type: 'string', examples: ['wait=20'] },
};

function requestBody(
  declared: DeclaredEndpoint,
  { request }: RouteExample,
  { components }: Making,
): Documented {
  const shape = shapeOf(bodyClass(declared));
  const schema = components.refer(toDocumentedSchema(shape), bodyClass(declared).name);
  return {
    required: shape.required.size > 0 || shape.needed !== null,
    content: { 'application/json': { schema, ...(request === undefined ? {} : { example: request }) } },
  };
}

function successes(
  declared: DeclaredEndpoint,
  path: string,
  { response: example }: RouteExample,
  { components }: Making,
): Documented {
  const { response, html, textType, otherTypes = [], kept } = declared;
  const name = `${pascalCase(operationIdOf(declared, path))}Answer`;
  const unchanged = { description: 'As it was: nothing is sent again', headers: headersOf(declared, 304) };
  const answers = Object.fromEntries(
    successStatuses(declared).map((status, index) => {
      const shown = index > 0 || example === undefined ? {} : { example };
      const media = {
        ...(response === undefined
          ? {}
          : { 'application/json': { schema: components.refer(closedSchema(response), name), ...shown } }),
        ...(html === undefined ? {} : { 'text/html': { schema: { type: 'string' } } }),
        ...Object.fromEntries(
          [...(textType === undefined ? [] : [textType]), ...otherTypes].map((type) => [
            type,
            { schema: { type: 'string' } },
          ]),
        ),
      };
      const content = Object.keys(media).length === 0 ? {} : { content: media };
      return [
        String(status),
        { description: MEANINGS[status], headers: headersOf(declared, status), ...content },
      ];
    }),
  );
  const elsewhere = { description: 'A browser is sent to the page', headers: headersOf(declared, 303) };
  return {
    ...answers,
    ...(declared.browsersTo === undefined ? {} : { 303: elsewhere }),
    ...(kept === undefined ? {} : { 304: unchanged }),
  };
}

const MEANINGS: { readonly [status: number]: string } = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: the work continues in the background',
  204: 'Done; no content',
};

function problems(declared: DeclaredEndpoint, path: string, { common, components }: Making): Documented {
  const isV3 = path.startsWith('/api/v3/');
  return Object.fromEntries(
    [...problemsOf(declared)].map(([status, behind]) => {
      const answer = {
        description: [...behind.details].join(' '),
        headers: headersOf(declared, status),
        content: {
          'application/problem+json': {
            schema: problemSchema(declared, { status, isV3 }, behind, components),
          },
        },
      };
      const name = declared.caller === 'apiKey' && !declared.deprecated ? commonName(status, isV3) : null;
      if (name === null) return [String(status), answer];
      common[name] = answer;
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}
