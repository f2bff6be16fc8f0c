import { Inject } from '@nestjs/common';
import { Type } from '#kernel/values/schema.js';
import { docsPage, problemPage } from './docs-page.js';
import { Endpoint, type PublicRequest } from './endpoint.js';
import { oneOfParam } from './parameters.js';
import { reply } from './reply.js';
import { VIEWER_PAGE, VIEWER_SECURITY, viewerScript } from './viewer.js';
import { notFound, problemTypes, unavailable } from './problem.js';

/** Whether this process can serve. `degraded` parts are listed and do not make it unready. */
export type ReadinessReport = {
  readonly ready: boolean;
  readonly degraded: readonly string[];
  /** Why it is not ready; empty if it is. */
  readonly reasons: readonly string[];
  /** The kind and the server of each store, if the host provides them. */
  readonly stores?: readonly string[];
  /** The identity of the log that this process reads. */
  readonly log?: string;
};

export interface ReadinessReporter {
  report(): Promise<ReadinessReport>;
}

export const READINESS = Symbol('Readiness');
export const OPEN_API_DOCUMENT = Symbol('OpenApiDocument');

const Status = Type.Object({ status: Type.Literal('live') }, { title: 'Liveness' });

@Endpoint({
  caller: 'public',
  route: 'GET /health/live',
  summary: 'The process runs',
  description:
    'Always 200 while the process answers, even if a store is unavailable. If it fails, restart the process.',
  response: Status,
  unlimited: true,
})
export class LiveEndpoint {
  handle() {
    return { status: 'live' as const };
  }
}

const Ready = Type.Object(
  {
    status: Type.Literal('ready'),
    degraded: Type.Array(Type.String()),
    stores: Type.Optional(Type.Array(Type.String())),
    log: Type.Optional(Type.String()),
  },
  { title: 'ServiceReadiness' },
);

@Endpoint({
  caller: 'public',
  route: 'GET /health/ready',
  summary: 'The process can serve',
  description:
    '503 with `reasons` while requests should go elsewhere, as while it starts or a store is gone. ' +
    '`degraded` names what does not work and keeps nobody from being served.',
  response: Ready,
  unlimited: true,
})
export class ReadyEndpoint {
  constructor(@Inject(READINESS) private readonly readiness: ReadinessReporter) {}

  async handle() {
    const { ready, degraded, reasons, stores, log } = await this.readiness.report();
    const about = { ...(stores === undefined ? {} : { stores }), ...(log === undefined ? {} : { log }) };
    if (!ready) throw unavailable('The service is not ready.', { reasons, degraded, ...about });
    return { status: 'ready' as const, degraded, ...about };
  }
}

const OpenApi = Type.Unsafe<object>({
  type: 'object',
  title: 'OpenApiDocument',
  description: 'OpenAPI 3.1',
  properties: {
    openapi: { type: 'string' },
    info: { type: 'object' },
    paths: { type: 'object' },
    components: { type: 'object' },
  },
  required: ['openapi', 'info', 'paths', 'components'],
  additionalProperties: true,
});

@Endpoint({
  caller: 'public',
  route: 'GET /openapi.json',
  summary: 'This API as OpenAPI 3.1',
  description: 'This very document, made of the declarations that requests and answers are checked with.',
  response: OpenApi,
  kept: true,
})
export class OpenApiEndpoint {
  constructor(@Inject(OPEN_API_DOCUMENT) private readonly document: () => object) {}

  handle() {
    return this.document();
  }
}

@Endpoint({
  caller: 'public',
  route: 'GET /docs',
  summary: 'The API reference, with search and test calls',
  description:
    'A viewer of this document: guides, every operation with its fields and samples, and calls with a key of your ' +
    'own. It fetches nothing from elsewhere.',
  html: true,
  kept: true,
})
export class DocsEndpoint {
  handle() {
    return reply(VIEWER_PAGE, {
      headers: { ...VIEWER_SECURITY, 'content-type': 'text/html; charset=utf-8' },
    });
  }
}

@Endpoint({
  caller: 'public',
  route: 'GET /docs/viewer.js',
  summary: 'The script of the API reference',
  description: 'The one script of that page.',
  textType: 'text/javascript',
  kept: true,
})
export class ViewerEndpoint {
  private script: string | null = null;

  handle() {
    this.script ??= viewerScript();
    return reply(this.script, {
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
  }
}

@Endpoint({
  caller: 'public',
  route: 'GET /docs/plain',
  summary: 'The API reference without scripts',
  description: 'The same to print, to search in, and for browsers without scripts.',
  html: true,
  kept: true,
})
export class PlainDocsEndpoint {
  private shown: string | null = null;

  constructor(@Inject(OPEN_API_DOCUMENT) private readonly document: () => object) {}

  handle(): string {
    return (this.shown ??= docsPage(JSON.parse(JSON.stringify(this.document()))));
  }
}

const Start = Type.Object(
  { docs: Type.Literal('/docs'), openapi: Type.Literal('/openapi.json') },
  { title: 'Start' },
);

@Endpoint({
  caller: 'public',
  route: 'GET /',
  summary: 'The addresses of the API reference',
  description: 'Redirects browsers to the API reference.',
  response: Start,
  browsersTo: '/docs',
})
export class StartEndpoint {
  handle() {
    return { docs: '/docs' as const, openapi: '/openapi.json' as const };
  }
}

const slug = oneOfParam(Object.keys(problemTypes), 404);
const ProblemType = Type.Object(
  { slug: Type.String(), title: Type.String(), meaning: Type.String() },
  { title: 'ProblemType' },
);

@Endpoint({
  caller: 'public',
  route: 'GET /errors/:slug',
  summary: 'The meaning of a problem type',
  description: 'Where the `type` of a problem leads: a page for browsers, JSON for everybody else.',
  params: { slug },
  response: ProblemType,
  html: true,
})
export class ProblemTypeEndpoint {
  handle({ params, prefersHtml }: PublicRequest<{ params: { readonly slug: typeof slug } }>) {
    const type = problemTypes[params.slug];
    if (type === undefined) throw notFound();
    if (prefersHtml) return problemPage(params.slug, type);
    return { slug: params.slug, title: type.title, meaning: type.meaning };
  }
}

/** On every listener. */
export const healthEndpoints = [LiveEndpoint, ReadyEndpoint];

/** On listeners that publish their documentation. */
export const documentationEndpoints = [
  StartEndpoint,
  OpenApiEndpoint,
  DocsEndpoint,
  ViewerEndpoint,
  PlainDocsEndpoint,
  ProblemTypeEndpoint,
];
