import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import openApiExamples from '../../apps/api/src/openapi-examples.json' with { type: 'json' };
import { apiGuides } from '#apps/api/src/reference/guides.js';
import { apiReference } from '#apps/api/src/reference/reference.js';
import { webhookEvents } from '#apps/api/src/reference/webhook-events.js';
import type { DeclaredEndpoint } from '#http/endpoint.js';
import { formats } from '#http/json-schema.js';
import { openApiDocument } from '#http/openapi.js';
import { PAYLOADS } from '#signals/domain/runs/payload-facts.js';
import { SIGNAL_TYPES } from '#signals/domain/runs/signal-types.js';
import { servedEndpoints } from '#test/house/served-endpoints.js';

/** An answer as it came over HTTP; `body` is null without one. */
export type ReceivedAnswer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

/** A JSON Schema as the document has it. */
export type Schema = { readonly [keyword: string]: unknown };
type Operation = {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: { readonly [status: string]: DeclaredAnswer | { readonly $ref: string } };
};
type Webhook = {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': { readonly schema: Schema; readonly example: unknown };
    };
  };
};
type DeclaredAnswer = {
  readonly headers: { readonly [name: string]: { readonly $ref: string } };
  readonly content?: { readonly [mediaType: string]: { readonly schema: Schema } };
};
type Header = { readonly required?: boolean; readonly schema: Schema };

/** The OpenAPI document of the service, as far as the tests read it. */
export type ApiDocument = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  /** The messages to addresses of callers, by type. */
  readonly webhooks: { readonly [type: string]: { readonly post: Webhook } };
  readonly components: {
    readonly headers: { readonly [name: string]: Header };
    readonly responses: { readonly [name: string]: DeclaredAnswer };
    readonly schemas: { readonly [name: string]: Schema };
  };
};

/** The faults of an answer by the document; empty: none. */
export type AnswerCheck = (method: string, url: string, answer: ReceivedAnswer) => readonly string[];

/** The faults of the body of a delivery by the description of its type; empty: none. */
type DeliveryCheck = (body: { readonly type: string; readonly data?: unknown }) => readonly string[];

/** Makes the check of the answers of one document; schemas are compiled at first use. */
export const answersOf = (document: ApiDocument): AnswerCheck => checksOf(document).answer;

function checksOf(document: ApiDocument): {
  readonly answer: AnswerCheck;
  readonly delivery: DeliveryCheck;
} {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    coerceTypes: false,
    logger: false,
    // A schema is compiled for a few answers: optimising its code costs more than it saves.
    code: { optimize: false },
  });
  addFormats.default(ajv, ['date-time', 'date', 'uri', 'email', 'uuid']);
  for (const [name, { validate }] of Object.entries(formats)) {
    if (!(name in ajv.formats)) ajv.addFormat(name, { type: 'string', validate });
  }
  ajv.addSchema({ $id: 'document:', components: { schemas: document.components.schemas } });
  const compiled = new Map<Schema, (value: unknown) => readonly string[]>();
  const faultsOf = (schema: Schema, value: unknown, of: string): readonly string[] => {
    const known = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, known);
    return known(value).map((fault) => `${of}${fault}`);
  };
  const compile = (schema: Schema): ((value: unknown) => readonly string[]) => {
    const validate = ajv.compile(referringTo('document:', schema));
    return (value) =>
      validate(value)
        ? []
        : (validate.errors ?? []).map(
            ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
          );
  };
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
    parameters: (template.match(/\{/g) ?? []).length,
  }));
  // of two that match, the router takes the one with fewer parameters
  templates.sort((left, right) => left.parameters - right.parameters);

  const declaredFor = (method: string, path: string): Operation | null => {
    const template = templates.find(({ pattern }) => pattern.test(path))?.template;
    const operations = template === undefined ? undefined : document.paths[template];
    return operations?.[method === 'HEAD' ? 'get' : method.toLowerCase()] ?? null;
  };
  const headersIn = (declared: DeclaredAnswer, headers: Headers): readonly string[] =>
    Object.keys(declared.headers).flatMap((name) => {
      const header = document.components.headers[name];
      const value = headers.get(name);
      if (header === undefined) return [`header ${name} is declared nowhere`];
      if (value === null) return header.required === true ? [`header ${name} is missing`] : [];
      const { schema } = header;
      return faultsOf(schema, schema['type'] === 'integer' ? Number(value) : value, `header ${name}`);
    });

  const delivery: DeliveryCheck = (body) => {
    const described = document.webhooks[body.type];
    if (described === undefined) return [`${body.type} is described nowhere`];
    return faultsOf(described.post.requestBody.content['application/json'].schema, body, body.type);
  };

  const answer: AnswerCheck = (method, url, { status, headers, body }) => {
    const path = pathOf(url);
    const operation = path === null ? null : declaredFor(method, path);
    if (operation === null) return undeclaredPath(path, status, headers);
    const found = operation.responses[String(status)];
    if (found === undefined) {
      return [`status ${status} is not declared, only ${Object.keys(operation.responses).join(', ')}`];
    }
    const declared =
      '$ref' in found && typeof found.$ref === 'string'
        ? document.components.responses[found.$ref.replace('#/components/responses/', '')]
        : (found as DeclaredAnswer);
    if (declared === undefined) return [`the answer of status ${status} is declared nowhere`];
    return [
      ...headersIn(declared, headers),
      ...contentIn(method, declared, headers, body),
      ...(operation.operationId === 'querySignals' ? payloadsIn(body) : []),
    ];
  };
  /** A payload that a run found has the form of its type; the document also allows any JSON, for those added by hand. */
  const payloadsIn = (body: unknown): readonly string[] => {
    const rows = isSchema(body) && Array.isArray(body['data']) ? body['data'] : [];
    return rows.filter(isSchema).flatMap(({ agent_id, signal_type, data }) => {
      const type = SIGNAL_TYPES.find((each) => each === signal_type);
      if (agent_id === null || type === undefined) return [];
      const schema = document.components.schemas[String(PAYLOADS[type].title)];
      return schema === undefined ? [`${type} is declared nowhere`] : faultsOf(schema, data, type);
    });
  };
  return { answer, delivery };

  function contentIn(
    method: string,
    { content = {} }: DeclaredAnswer,
    headers: Headers,
    body: unknown,
  ): readonly string[] {
    if (method === 'HEAD') return body === null ? [] : ['HEAD was answered with a body'];
    const [types] = [Object.keys(content)];
    if (types.length === 0) return body === null ? [] : ['a body that is not declared'];
    const sent = headers.get('content-type')?.replace(/;.*/, '') ?? 'none';
    const media = content[sent];
    if (media === undefined) return [`content type ${sent} is not declared, only ${types.join(', ')}`];
    return /json$/.test(sent) ? faultsOf(media.schema, body, 'body') : [];
  }
}

/** The schema with its references into the document that is known under this name. */
function referringTo(name: string, schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${name}#/`));
}

/** Without an operation only the problems of the edge itself are possible. */
function undeclaredPath(path: string | null, status: number, headers: Headers): readonly string[] {
  const type = headers.get('content-type');
  // authentication comes before the refusal of an invalid path
  const statuses = path === null ? [400, 401, 429] : [400, 404, 405];
  return [
    ...(statuses.includes(status) ? [] : [`a path without operation was answered with ${status}`]),
    ...(type?.startsWith('application/problem+json') === true || status === 204 ? [] : [`as ${type}`]),
  ];
}

/** The path of a URL as the router sees it, or null if it is not valid percent-encoding. */
function pathOf(url: string): string | null {
  const [path = ''] = url.split(/[?#]/);
  try {
    decodeURI(path);
    return path;
  } catch {
    return null;
  }
}

type Own = {
  readonly document: ApiDocument;
  readonly check: ReturnType<typeof checksOf>;
  /** Endpoints of another protocol, which the document does not describe. */
  readonly ofProtocols: readonly DeclaredEndpoint[];
};
let own: Own | null = null;

/** The document of the service under test, made from the declarations. */
export function apiDocument(): ApiDocument {
  return ofThisHouse().document;
}

function ofThisHouse(): Own {
  own ??= (() => {
    const declared = servedEndpoints().map((served) => served.declared);
    // as a reader gets it: JSON
    const document: ApiDocument = JSON.parse(
      JSON.stringify(
        openApiDocument(declared, {
          version: 'test',
          examples: openApiExamples,
          reference: apiReference,
          guides: apiGuides,
          webhooks: webhookEvents,
        }),
      ),
    );
    return {
      document,
      check: checksOf(document),
      ofProtocols: declared.filter(({ protocol }) => protocol !== undefined),
    };
  })();
  return own;
}

/** A schema of that document without references: each is replaced by its target. */
export function inlined(schema: Schema): Schema {
  const { $ref, anyOf, ...rest } = schema;
  const members = membersOf(rest);
  if (members !== null) return inlined(members);
  if (typeof $ref === 'string') {
    const named = apiDocument().components.schemas[$ref.replace('#/components/schemas/', '')];
    if (named === undefined) throw new Error(`${$ref} leads nowhere`);
    return inlined({ ...named, ...rest });
  }
  const entries = Object.entries(rest).map(([keyword, value]) => [
    keyword,
    keyword === 'properties' && isSchema(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inlinedIn(each)]))
      : ['items', 'additionalProperties'].includes(keyword)
        ? inlinedIn(value)
        : ['oneOf', 'allOf'].includes(keyword) && Array.isArray(value)
          ? value.map(inlinedIn)
          : value,
  ]);
  const whole: Schema = Object.fromEntries(entries);
  if (!Array.isArray(anyOf)) return whole;
  const forms: readonly Schema[] = anyOf.map(inlinedIn).filter(isSchema);
  const [form, ...others] = forms.filter(({ type }) => type !== 'null');
  // for a generator of values, an object or null is one type
  return form?.['type'] === 'object' && others.length === 0
    ? { ...form, ...whole, type: ['object', 'null'] }
    : { ...whole, anyOf: forms };
}

/** The members of an object with alternatives of required members; the caller chooses among these. */
function membersOf({ allOf, ...rest }: Schema): Schema | null {
  if (!Array.isArray(allOf)) return null;
  const [fields, needed, ...more]: readonly unknown[] = allOf;
  const isChoice = isSchema(needed) && Object.keys(needed).every((key) => key === 'anyOf' || key === 'oneOf');
  return isChoice && more.length === 0 && isSchema(fields) ? { ...fields, ...rest } : null;
}

const inlinedIn = (value: unknown): unknown => (isSchema(value) ? inlined(value) : value);

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isOfProtocol = (method: string, url: string): boolean =>
  ofThisHouse().ofProtocols.some(
    (declared) => declared.method === method && declared.paths.includes(pathOf(url) ?? ''),
  );

/** Throws if the OpenAPI document does not declare this answer: status, headers, content type, body. */
export function expectDeclared(method: string, url: string, answer: ReceivedAnswer): void {
  if (isOfProtocol(method, url)) return;
  const faults = ofThisHouse().check.answer(method, url, answer);
  if (faults.length === 0) return;
  const body = JSON.stringify(answer.body)?.slice(0, 1_000);
  throw new Error(
    `${method} ${url} was answered with ${answer.status}, not as declared:\n  ${faults.join('\n  ')}\n  ${body}`,
  );
}

/** Throws if the body of a delivery does not match the OpenAPI document for its type. */
export function expectDescribed(body: { readonly type: string; readonly data?: unknown }): void {
  const faults = ofThisHouse().check.delivery(body);
  if (faults.length > 0)
    throw new Error(`not as described:\n  ${faults.join('\n  ')}\n  ${JSON.stringify(body).slice(0, 1_000)}`);
}
