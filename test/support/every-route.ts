import { expect } from 'expect';
import { servedEndpoints } from '#test/house/house.js';
import { employed, keywordAgent, observedCompany, observedPerson, observedPost } from './observed-network.js';
import { detectionsOf, KEYWORD_TEMPLATE, seeRunThrough, signalSetup } from './signal-runs.js';
import type { Answer, TestService, TestWorkspace } from './service.js';

export type WalkedRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As declared, with `:name` for its parameters. */
  readonly path: string;
  readonly keyed: boolean;
  readonly takesBody: boolean;
};

/** Every route of the service, from the declarations: a new one is walked without being named anywhere. */
export const routes: readonly WalkedRoute[] = servedEndpoints().flatMap(({ declared }) =>
  declared.paths.map((path) => ({
    method: declared.method,
    path,
    keyed: declared.access === 'apiKey',
    takesBody: declared.body !== undefined,
  })),
);
export const keyedRoutes = routes.filter(({ keyed }) => keyed);

/** The path with every parameter replaced: `ids` by parameter name, and `company` for a kind. */
export const pathWith = (path: string, id: unknown, kind = 'company'): string =>
  path.replace(/:(\w+)/g, (_, name: string) => (name === 'kind' ? kind : String(id)));

/** Where a thing of a workspace stands in the paths: the longest start that fits a path names its id. */
export type OwnedIds = { readonly [pathStart: string]: number };

/** A workspace with one thing of every kind that has an id in a path. */
export async function furnish(service: TestService, workspace: TestWorkspace): Promise<OwnedIds> {
  const persona = { job_title: ['VP Sales'], location: ['France'] };
  const { body: createdPersona } = await workspace.call('POST /api/v2/personas', persona);
  const list = { type: 'competitor', name: 'Rivals' };
  const { body: createdList } = await workspace.call('POST /api/v2/lists', list);
  await service.ingest([
    observedCompany('acme'),
    observedPerson('ana', employed('acme', 'VP Sales')),
    observedPost('furnished', 'ana', 'a crm', '2026-05-31T09:00:00Z'),
  ]);
  const agentId = await keywordAgent(workspace, 'crm');
  const run = await seeRunThrough(service, workspace, agentId);
  const [detection] = await detectionsOf(workspace);
  const { body: usage } = await workspace.call('GET /api/v3/usage');
  return {
    '/api/v2/agents/': agentId,
    '/api/v2/companies/': detection.company_id,
    '/api/v2/contents/': detection.data.content_id,
    '/api/v2/leads/': detection.lead_id,
    '/api/v2/lists/:kind/': createdList.data.id,
    '/api/v2/personas/': createdPersona.data.id,
    '/api/v2/workspace/signal-runs/': run.signal_request_id,
    '/api/v3/credits/movements/': usage.data[0].id,
    '/api/v3/signal-setups/': await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] }),
  };
}

/** Paths with an id that is nobody's own. */
export const SHARED = ['/api/v3/signal-templates/'];

/** The id in this path; throws for a route of a kind that `furnish` does not know. */
export function ownedId(owned: OwnedIds, path: string): number {
  const start = Object.keys(owned).find((known) => path.startsWith(known));
  const id = start === undefined ? undefined : owned[start];
  if (id === undefined) throw new Error(`furnish() makes nothing for ${path}`);
  return id;
}

/** A body that a writing route takes, or undefined: of a new route it says so here. */
export const VALID_BODIES: { readonly [route: string]: object } = {
  'PUT /api/v2/companies/:id/pipeline-configs': {
    pipeline_configs: [{ pipeline_type: 'account_mapping', configuration: 'disabled' }],
  },
  'PUT /api/v2/lists/:kind/:list_id': { name: 'Renamed' },
  'PATCH /api/v2/personas/:persona_id': { tag: 'renamed' },
  'PATCH /api/v3/signal-setups/:id': { name: 'Renamed' },
};

const V2_SLUGS = [
  ['bad-request', 400, 'Bad Request'],
  ['unauthorized', 401, 'Unauthorized'],
  ['insufficient-credits', 402, 'Insufficient credits'],
  ['forbidden', 403, 'Forbidden'],
  ['not-found', 404, 'Not Found'],
  ['method-not-allowed', 405, 'Method Not Allowed'],
  ['conflict', 409, 'Conflict'],
  ['unprocessable-entity', 422, 'Unprocessable Entity'],
  ['persona-incomplete', 422, 'Persona incomplete'],
  ['rate-limit-exceeded', 429, 'Too Many Requests'],
  ['internal-server-error', 500, 'Internal Server Error'],
  ['service-unavailable', 503, 'Service Unavailable'],
] as const;
const V3_TITLES: { readonly [status: number]: readonly string[] } = {
  400: [
    'Invalid query parameters',
    'Invalid path parameters',
    'Invalid request body',
    'Invalid request headers',
  ],
  401: ['Unauthorized'],
  402: ['Insufficient credits'],
  404: ['Not Found'],
  405: ['Method Not Allowed'],
  409: ['Template not available', 'List not available', 'List cannot be changed', 'Conflict'],
  422: ['Unprocessable Entity', 'Persona incomplete', 'Insufficient top accounts'],
  429: ['Too Many Requests'],
  500: ['Internal Server Error'],
  503: ['Service Unavailable'],
};

/** ERR-01 to ERR-07: a problem document in the dialect of its path, with what every answer carries. */
export function expectProblem(route: string, { status, headers, body }: Answer): void {
  const url = route.split(' ')[1] ?? '';
  const path = url.replace(/\?.*/, '');
  expect([route, headers.get('content-type')]).toEqual([
    route,
    expect.stringMatching(/^application\/problem\+json(;|$)/),
  ]);
  expect([route, body]).toEqual([
    route,
    expect.objectContaining({
      type: expect.any(String),
      title: expect.any(String),
      status,
      detail: expect.stringMatching(/\S/),
      instance: path,
    }),
  ]);
  if (path.startsWith('/api/v3')) {
    expect([route, body.type]).toEqual([route, 'about:blank']);
    expect([route, V3_TITLES[status]]).toEqual([route, expect.arrayContaining([body.title])]);
  } else {
    const slug = body.type.replace('https://docs.example.test/errors/', '');
    expect([route, V2_SLUGS]).toEqual([route, expect.arrayContaining([[slug, status, body.title]])]);
  }
  if (body.errors === undefined) return;
  expect([route, status]).toEqual([route, expect.any(Number)]);
  expect([400, 422]).toContain(status);
  expect(Object.keys(body.errors).length).toBeGreaterThan(0);
  for (const messages of Object.values(body.errors)) {
    expect([route, messages]).toEqual([route, expect.arrayContaining([expect.any(String)])]);
  }
}

/** OP-06, OP-65: what every answer carries. */
export function expectStamped(route: string, { headers }: Pick<Answer, 'headers'>, requestId?: string): void {
  const stamps = ['x-request-id', 'x-response-time', 'cache-control'].map((name) => headers.get(name));
  expect([route, ...stamps]).toEqual([
    route,
    requestId ?? expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/),
    expect.stringMatching(/^\d+\.\dms$/),
    'no-store',
  ]);
}
