import { servedEndpoints, type ServedEndpoint } from '#test/house/served-endpoints.js';
import { employed, keywordAgent, observedCompany, observedPerson, observedPost } from './observed-network.js';
import { detectionsOf, KEYWORD_TEMPLATE, seeRunThrough, signalSetup, templateIdsOf } from './signal-runs.js';
import type { Answer, TestService, TestWorkspace } from './service.js';

export type WalkedRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As declared, with `:name` for its parameters. */
  readonly path: string;
  readonly keyed: boolean;
  readonly takesBody: boolean;
  /** A POST that writes nothing. */
  readonly readsOnly: boolean;
};

const walked = (endpoints: readonly ServedEndpoint[]): readonly WalkedRoute[] =>
  endpoints.flatMap(({ declared }) =>
    declared.paths.map((path) => ({
      method: declared.method,
      path,
      keyed: declared.caller === 'apiKey',
      takesBody: declared.body !== undefined,
      readsOnly: declared.readsOnly === true,
    })),
  );
const hasProtocol = ({ declared }: ServedEndpoint): boolean => declared.protocol !== undefined;

/** Every route of the API, from the declarations: a new one is included automatically. */
export const routes = walked(servedEndpoints().filter((served) => !hasProtocol(served)));
/** Routes with messages of another protocol: their earlier refusals are the same as everywhere. */
export const protocolRoutes = walked(servedEndpoints().filter(hasProtocol));
export const keyedRoutes = routes.filter(({ keyed }) => keyed);

/** The path with every parameter replaced: `ids` by parameter name, and `company` for a kind. */
export const pathWith = (path: string, id: unknown, kind = 'company'): string => pathAt(path, () => id, kind);

/**
 * The places of ids in a path: its prefixes up to each of them, `/api/v2/lists/:kind/` and
 * `/api/v2/lists/:kind/:list_id/members/`. An object is identified by the place of its id.
 */
export const idPlaces = (path: string): readonly string[] =>
  [...path.matchAll(/:(\w+)/g)].filter(([, name]) => isIdName(name)).map(({ index }) => path.slice(0, index));

/** The path with the result of `idAt` at each place of an id. */
export const pathAt = (path: string, idAt: (place: string) => unknown, kind = 'company'): string =>
  path.replace(/:(\w+)/g, (_, name: string, index: number) =>
    isIdName(name) ? String(idAt(path.slice(0, index))) : name === 'kind' ? kind : 'not-found',
  );

/** Parameters and fields that carry ids, one or several; the id of a quote is a sealed text. */
export const isIdName = (name: string | undefined): boolean =>
  name !== 'quote_id' && /(^|_)ids?$/.test(name ?? '');

/** Ids of the objects of one workspace, by the place of an id. */
export type OwnedIds = { readonly [place: string]: number };

/** A launch, a signal and a top account have no path of their own. */
const LAUNCH = 'launch';
const SIGNAL = 'signal';
export const TOP_ACCOUNT = 'top account';

/** The object to which an id in a query, a body or a free object refers, by the name of the parameter or field. */
const NAMED: { readonly [name: string]: string } = {
  account_ids: TOP_ACCOUNT,
  agent_id: '/api/v2/agents/',
  company_id: '/api/v2/companies/',
  launch_id: LAUNCH,
  lead_id: '/api/v2/leads/',
  list_id: '/api/v2/lists/:kind/',
  persona_id: '/api/v2/personas/',
  persona_ids: '/api/v2/personas/',
  scope_id: '/api/v2/agents/',
  signal_id: SIGNAL,
  signal_run_id: '/api/v2/workspace/signal-runs/',
  signal_setup_id: '/api/v3/signal-setups/',
  signal_template_id: '/api/v3/signal-templates/',
  signal_setup_ids: '/api/v3/signal-setups/',
  list_ids: '/api/v2/lists/:kind/',
  watchlist_id: '/api/v2/lists/:kind/',
};

/** The place for this parameter or field; throws for a name that is not listed. */
export function placeNamed(name: string, route: string): string {
  const place = NAMED[name];
  if (place === undefined) throw new Error(`${route}: NAMED does not say what ${name} is the id of`);
  return place;
}

/**
 * Fields with ids in objects that the document leaves open, by route, with dots for nesting; an empty list: no ids
 * there.
 */
export const IDS_IN_OPEN_OBJECTS: { readonly [route: string]: readonly string[] } = {
  'POST /api/v3/signal-setups': ['parameters.list_id'],
  'PATCH /api/v3/signal-setups/:id': ['parameters.list_id'],
  'PUT /api/v2/agents/:agent_id': [],
  'POST /api/v2/lists/:kind/:list_id/members': [],
  'POST /api/v2/watchlists/:kind/:list_id/entities': [],
  'POST /api/v2/top-account-list/accounts': [],
};

/** A workspace with one object of every kind that has an id in a path, and two rows for every cursor. */
export async function furnish(service: TestService, workspace: TestWorkspace): Promise<OwnedIds> {
  const persona = { job_title: ['VP Sales'], location: ['France'] };
  const { body: createdPersona } = await workspace.call('POST /api/v2/personas', persona);
  const list = { type: 'competitor', name: 'Rivals' };
  const { body: createdList } = await workspace.call('POST /api/v2/lists', list);
  const rivals = `/api/v2/lists/company/${createdList.data.id}/members`;
  const { body: addedMembers } = await workspace.call(`POST ${rivals}`, {
    members: [{ domain: 'rival.com' }],
  });
  await service.ingest([
    observedCompany('acme'),
    observedPerson('ana', {
      ...employed('acme', 'VP Sales'),
      geo: { country: 'France', country_code: 'FR' },
    }),
    observedPost('furnished', 'ana', 'a crm', '2026-05-31T09:00:00Z'),
    observedPost('furnished-too', 'ana', 'another crm', '2026-05-31T10:00:00Z'),
  ]);
  const accounts = [{ domain: 'account-of-ours.example' }, { domain: 'account.invalid' }];
  await workspace.call('POST /api/v2/top-account-list/accounts', { accounts });
  await service.ops('work.drain');
  const { body: topAccounts } = await workspace.call('GET /api/v2/top-account-list/accounts');
  const agentId = await keywordAgent(workspace, 'crm');
  const run = await seeRunThrough(service, workspace, agentId);
  const [detection] = await detectionsOf(workspace);
  if (detection === undefined) throw new Error(`a run without a detection: ${JSON.stringify(run)}`);
  const setupId = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
  await seeRunThrough(service, workspace, setupId);
  const mapping = await enrichedCompany(service, workspace, { domain: 'acme.com' });
  // A failed one: completed ones are listed only on request.
  await workspace.call('POST /api/v2/enrich-company-mapping', { network_handle: 'nobody-there' });
  await service.ops('work.drain');
  const { body: movements } = await workspace.call(`GET /api/v3/credits/movements?agent_id=${agentId}`);
  const cap = { scope: 'agent', scope_id: agentId, period: 'month', limit: 500 };
  const { body: createdCap } = await workspace.call('POST /api/v3/credits/caps', cap);
  // An address that cannot be reached: the result of a test is the same everywhere.
  const hook = { url: 'https://localhost/hook', types: ['endpoint.disabled'] };
  const { body: createdHook } = await workspace.call('POST /api/v3/webhook-endpoints', hook);
  return {
    '/api/v2/agents/': agentId,
    '/api/v3/webhook-endpoints/': createdHook.data.id,
    ...mapping,
    '/api/v2/companies/': detection.company_id,
    '/api/v2/contents/': detection.data.content_id,
    '/api/v2/leads/': detection.lead_id,
    '/api/v2/lists/:kind/': createdList.data.id,
    '/api/v2/lists/:kind/:list_id/members/': addedMembers.data[0].id,
    '/api/v2/watchlists/:kind/': createdList.data.id,
    '/api/v2/watchlists/:kind/:list_id/entities/': addedMembers.data[0].id,
    '/api/v2/personas/': createdPersona.data.id,
    '/api/v2/workspace/signal-runs/': run.signal_request_id,
    '/api/v3/lists/:kind/': createdList.data.id,
    '/api/v3/lists/:kind/:list_id/members/': addedMembers.data[0].id,
    '/api/v3/credits/caps/': createdCap.data.id,
    '/api/v3/credits/movements/': movements.data[0].id,
    '/api/v3/signal-setups/': setupId,
    '/api/v3/signals/': detection.id,
    '/api/v3/signal-templates/': (await templateIdsOf(workspace)).get(LISTED_TEMPLATE) ?? 0,
    [TOP_ACCOUNT]: topAccounts.data[0].id,
    [SIGNAL]: detection.id,
    [LAUNCH]: movements.data[0].cause.launch_id,
  };
}

/** Enriches a company to its end; returns the ids of the request and of its mapping. */
export async function enrichedCompany(
  service: TestService,
  workspace: TestWorkspace,
  company: object,
): Promise<{
  readonly '/api/v2/account-mapping/': number;
  readonly '/api/v2/company-mappings/': number;
}> {
  const { body: enriched } = await workspace.call('POST /api/v2/enrich-company-mapping', company);
  await service.ops('work.drain');
  const { body: stage } = await workspace.call(`GET /api/v2/account-mapping/${enriched.request_id}/stage`);
  return {
    '/api/v2/account-mapping/': enriched.request_id,
    '/api/v2/company-mappings/': stage.mapping_id,
  };
}

/** A template whose parameters require a list of the type that `furnish` makes. */
const LISTED_TEMPLATE = 'competitor-content-engagement';

/** Objects without an owner: by the place of their id, and their collections. */
const SHARED = ['/api/v3/signal-templates/', '/api/v3/signal-buckets/'];

/** Whether the objects of a place, or of a collection, are shared by all workspaces. */
export const isShared = (place: string): boolean => SHARED.some((shared) => `${place}/`.startsWith(shared));

/** The id of the object of this place; throws for a place that `furnish` does not know. */
export function ownedId(owned: OwnedIds, place: string): number {
  const id = owned[place];
  if (id === undefined) throw new Error(`furnish() makes nothing for ${place}`);
  return id;
}

/** The path with the ids of a workspace's objects. */
export const ownPath = (owned: OwnedIds, path: string): string =>
  pathAt(path, (place) => ownedId(owned, place));

/** A cap that allows everything in the examples. */
const monthlyCap = (owned: OwnedIds): object => ({
  scope: 'agent',
  scope_id: ownedId(owned, '/api/v2/agents/'),
  period: 'month',
  limit: 500,
});

/** A body for each writing route: a new route needs an entry here. */
export const VALID_BODIES: { readonly [route: string]: object | ((owned: OwnedIds) => object) } = {
  'POST /api/v2/agents': { type: 'keyword_post_search', parameters: { tracking_keywords: ['crm'] } },
  'PUT /api/v2/agents/:agent_id': { name: 'Renamed' },
  'PUT /api/v2/companies/:id/pipeline-configs': {
    pipeline_configs: [{ pipeline_type: 'account_mapping', configuration: 'disabled' }],
  },
  'POST /api/v2/enrich-company-mapping': (owned) => ({
    company_id: ownedId(owned, '/api/v2/companies/'),
    persona_ids: [ownedId(owned, '/api/v2/personas/')],
  }),
  'POST /api/v2/content-requests/query': (owned) => ({
    company_id: ownedId(owned, '/api/v2/companies/'),
    stage: ['completed', 'account_mapping_failed'],
  }),
  'POST /api/v2/lists': { type: 'competitor', name: 'Others' },
  'PUT /api/v2/lists/:kind/:list_id': { name: 'Renamed' },
  'POST /api/v2/lists/:kind/:list_id/members': { members: [{ domain: 'another-rival.com' }] },
  'PATCH /api/v2/lists/:kind/:list_id/members/:member_id/tracking-status': { tracking_status: 'unfollowed' },
  'PATCH /api/v2/lists/:kind/:list_id/members/:member_id/signal-bucket': { signal_bucket: 'bucket_2' },
  'POST /api/v2/watchlists': { type: 'competitor', title: 'Others' },
  'PUT /api/v2/watchlists/:kind/:list_id': { title: 'Renamed' },
  'POST /api/v2/watchlists/:kind/:list_id/entities': { entities: [{ domain: 'third-rival.com' }] },
  'PATCH /api/v2/watchlists/:kind/:list_id/entities/:member_id/tracking-status': { tracking_status: null },
  'POST /api/v2/personas': { job_title: ['CTO'], location: ['Spain'], tag: 'technical' },
  'PATCH /api/v2/personas/:persona_id': { tag: 'renamed' },
  'PUT /api/v2/persona': { tag: 'oldest' },
  'PUT /api/v3/personas': { job_title: ['CTO'], location: ['Spain'], tag: 'technical' },
  'POST /api/v2/top-account-list/accounts': { accounts: [{ domain: 'account.example' }] },
  'POST /api/v2/workspace/signal-runs': (owned) => ({ agent_id: ownedId(owned, '/api/v2/agents/') }),
  'POST /api/v2/workspace/signal-runs/quote': (owned) => ({
    signal_setup_id: ownedId(owned, '/api/v3/signal-setups/'),
  }),
  'POST /api/v2/workspace/signals/count': {},
  'POST /api/v2/workspace/signals/query': {},
  'POST /api/v3/signal-setups': (owned) => ({
    signal_template_id: ownedId(owned, '/api/v3/signal-templates/'),
    parameters: { list_id: ownedId(owned, '/api/v2/lists/:kind/') },
  }),
  'PATCH /api/v3/signal-setups/:id': { name: 'Renamed' },
  'PUT /api/v3/top-account-list/accounts/signal-buckets': (owned) => ({
    account_ids: [ownedId(owned, TOP_ACCOUNT)],
    persona_id: ownedId(owned, '/api/v2/personas/'),
    signal_buckets: ['essential'],
  }),
  'PUT /api/v3/lists/:kind/:list_id': { signal_buckets: ['essential'] },
  'PATCH /api/v3/lists/:kind/:list_id/members/:member_id/signal-buckets': { signal_buckets: ['essential'] },
  'POST /api/v3/keywords/preview': { keywords: ['CRM', 'sales automation'], lookback_days: 30 },
  'POST /api/v3/signals/query': {},
  'POST /api/v3/credits/caps': monthlyCap,
  'PUT /api/v3/credits/caps/:cap_id': monthlyCap,
  'PUT /api/v3/credits/thresholds': { credits: [200, 50], days: [14] },
  'POST /api/v3/webhook-endpoints': (owned) => ({
    url: 'https://hooks.example.com/signals',
    types: ['signal.detected'],
    signal_setup_ids: [ownedId(owned, '/api/v3/signal-setups/')],
    description: 'Signals for the CRM',
  }),
  'PATCH /api/v3/webhook-endpoints/:endpoint_id': { description: 'Signals for the CRM' },
  'POST /api/v3/webhook-endpoints/:endpoint_id/rotate-secret': { previous_valid_hours: 24 },
  'POST /api/v3/webhook-endpoints/:endpoint_id/replay': { since: '2026-06-01T00:00:00Z' },
};

/** The body for a route, with the ids of a workspace; undefined if the route takes none. Throws for a new route. */
export function validBody({ method, path, takesBody }: WalkedRoute, owned: OwnedIds): object | undefined {
  const body = VALID_BODIES[`${method} ${path}`];
  if (takesBody && body === undefined) throw new Error(`VALID_BODIES has none for ${method} ${path}`);
  return typeof body === 'function' ? body(owned) : body;
}

/** OP-03: slug, status and title of the v2 dialect. */
export const V2_SLUGS = [
  ['bad-request', 400, 'Bad Request'],
  ['unauthorized', 401, 'Unauthorized'],
  ['insufficient-credits', 402, 'Insufficient credits'],
  ['cap-reached', 402, 'Cap reached'],
  ['quote-outdated', 409, 'Quote outdated'],
  ['quote-used', 409, 'Quote used'],
  ['forbidden', 403, 'Forbidden'],
  ['not-found', 404, 'Not Found'],
  ['method-not-allowed', 405, 'Method Not Allowed'],
  ['conflict', 409, 'Conflict'],
  ['unprocessable-entity', 422, 'Unprocessable Entity'],
  ['top-account-quota-exceeded', 403, 'Top account quota exceeded'],
  ['persona-incomplete', 422, 'Persona incomplete'],
  ['no-persona-launchable', 422, 'No persona launchable'],
  ['rate-limit-exceeded', 429, 'Too Many Requests'],
  ['internal-server-error', 500, 'Internal Server Error'],
  ['service-unavailable', 503, 'Service Unavailable'],
] as const;
/** OP-03: the titles of each status in the v3 dialect. */
export const V3_TITLES: { readonly [status: number]: readonly string[] } = {
  400: ['Invalid query parameters', 'Invalid path parameters', 'Invalid request body'],
  401: ['Unauthorized'],
  402: ['Insufficient credits', 'Cap reached'],
  403: ['Forbidden'],
  404: ['Not Found'],
  405: ['Method Not Allowed'],
  409: [
    'Template not available',
    'List not available',
    'List cannot be changed',
    'Price not available',
    'Too many webhook endpoints',
    'Secret lost',
    'Endpoint disabled',
    'Conflict',
  ],
  410: ['Cursor gone'],
  422: ['Unprocessable Entity', 'Persona incomplete', 'Insufficient top accounts'],
  429: ['Too Many Requests'],
  500: ['Internal Server Error'],
  503: ['Service Unavailable'],
};

/** ERR-01 to ERR-07: a problem document in the dialect of its path, with the headers of every answer. */
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

/** OP-06, OP-65: the headers of every answer. */
export function expectStamped(route: string, { headers }: Pick<Answer, 'headers'>, requestId?: string): void {
  const stamps = ['x-request-id', 'x-response-time', 'cache-control'].map((name) => headers.get(name));
  expect([route, ...stamps]).toEqual([
    route,
    requestId ?? expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/),
    expect.stringMatching(/^\d+\.\dms$/),
    // an answer that changes only with the program is revalidated by its tag
    headers.has('etag') ? 'no-cache' : 'no-store',
  ]);
}
