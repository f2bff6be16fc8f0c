import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { detectionKey, detections } from '#projections/signals/detections/detections.projection.js';
import { ENTRIES_A_MARK } from '#ledger/history/ledger-reader.js';
import { enrichedCompany, type OwnedIds } from '../support/every-route.js';
import { startTestService, type TestService, type TestWorkspace } from '../support/service.js';
import { KEYWORD_TEMPLATE, signalSetup } from '../support/signal-runs.js';
import { employed, keywordAgent, observedCompany, observedPerson } from '../support/observed-network.js';
import { percentile, type Bench, type Measurement } from './bench.js';
import { answerOf } from './script-process.js';
import type { ClientAnswer, ClientOrder, Latency, MeasuredRequest } from './query-clients.js';
import { writeHistory } from './query-history.js';
import { deepRequest, firstRequest, queryRoutes, type PLACES, type QueryRequest } from './query-routes.js';

const LONG = Number(process.env['QUERY_DETECTIONS'] ?? 100_000);
const SHORT = Math.ceil(LONG / 100);
const CLIENTS = 50;
const ROUNDS = 7;
const CALLS_A_ROUND = 150;
/** Number of all other listed objects: a few pages. */
const OTHERS = 60;
const MEMBERS_AT_ONCE = 100;
const START = '2026-03-01T00:00:00.000Z';
const NOW = '2026-05-29T12:00:00.000Z';
const GROWS_AT_MOST = 1.3;

type World = {
  readonly workspace: TestWorkspace;
  readonly owned: OwnedIds & { readonly [Place in (typeof PLACES)[number]]: number | string };
};

/** A workspace with a page or more of everything, and a history of this many detections. */
async function furnishWorld(service: TestService, size: number): Promise<World> {
  await service.ops('clock.set', { now: START });
  const workspace = await service.workspace({ credits: 10 * size + 1_000 });
  const created = async (route: string, body: object): Promise<number> => {
    const answer = await workspace.call(route, body);
    if (answer.status !== 201) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
    return answer.body.data.id;
  };
  const persona = { job_title: ['VP Sales'], location: ['France'] };
  let [personaId, listId, setupId, agentId] = [0, 0, 0, 0];
  for (let made = 0; made < OTHERS; made += 1) {
    personaId = await created('POST /api/v2/personas', { ...persona, tag: `persona ${made}` });
    listId = await created('POST /api/v2/lists', { type: 'customer', name: `List ${made}` });
    setupId = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
    agentId = await keywordAgent(workspace, 'crm');
  }
  const memberId = await fillList(workspace, listId, Math.ceil(size / 10));
  const employee = { ...employed('acme', 'VP Sales'), geo: { country: 'France', country_code: 'FR' } };
  await service.ingest([observedCompany('acme'), observedPerson('ana', employee)]);
  const mapping = await enrichedCompany(service, workspace, { domain: 'acme.com' });
  const history = await writeHistory(service, {
    workspaceId: workspace.id,
    sources: [
      { kind: 'setup', id: setupId },
      { kind: 'agent', id: agentId },
    ],
    detections: size,
    start: new Date(START),
  });
  await endBetweenMarks(service, workspace.id);
  // After the history: nothing is delivered to it.
  const endpointId = await created('POST /api/v3/webhook-endpoints', { url: 'https://hooks.example.com/in' });
  const { body: signals } = await workspace.call('POST /api/v3/signals/query', {});
  return {
    workspace,
    owned: {
      ...mapping,
      '/api/v2/agents/': agentId,
      '/api/v2/companies/': history.companyId,
      '/api/v2/contents/': history.contentId,
      '/api/v2/leads/': history.leadId,
      '/api/v2/lists/:kind/': listId,
      '/api/v2/lists/:kind/:list_id/members/': memberId,
      '/api/v2/watchlists/:kind/': listId,
      '/api/v2/watchlists/:kind/:list_id/entities/': memberId,
      '/api/v2/personas/': personaId,
      '/api/v2/workspace/signal-runs/': history.runId,
      '/api/v3/lists/:kind/': listId,
      '/api/v3/lists/:kind/:list_id/members/': memberId,
      '/api/v3/credits/movements/': history.movementId,
      '/api/v3/signal-setups/': setupId,
      '/api/v3/signal-templates/': 1,
      '/api/v3/signals/': signals.data[0].id,
      '/api/v3/webhook-endpoints/': endpointId,
    },
  };
}

/**
 * A current statement reads the entries after the last mark of the ledger: none to 63, by chance. Ledgers that are
 * compared end at the same distance, half way between two marks.
 */
async function endBetweenMarks(service: TestService, workspaceId: number): Promise<void> {
  const head = await service.service.host.ledgers.head(workspaceId);
  let entries = Number(head?.revision ?? -1n) + 1;
  for (; entries % ENTRIES_A_MARK !== ENTRIES_A_MARK / 2; entries += 1) {
    await service.ops('credits.grant', { workspace_id: workspaceId, credits: 1, reason: 'to end alike' });
  }
}

/** Adds this many companies to a list; returns the id of the last member. */
async function fillList(workspace: TestWorkspace, listId: number, members: number): Promise<number> {
  let last = 0;
  for (let first = 0; first < members; first += MEMBERS_AT_ONCE) {
    const count = Math.min(MEMBERS_AT_ONCE, members - first);
    const rows = Array.from({ length: count }, (_, place) => ({ domain: `member-${first + place}.com` }));
    const route = `POST /api/v2/lists/company/${listId}/members`;
    const { status, body } = await workspace.call(route, { members: rows });
    if (status !== 200) throw new Error(`${route}: ${JSON.stringify(body)}`);
    last = body.data.at(-1).id;
  }
  return last;
}

/** Answers a page of 25 detections, or one, straight from the read store: the lower limit for any route. */
async function bareServer(readModels: ReadModels, workspaceId: number): Promise<Server> {
  const [newest] = await page();
  async function page() {
    return readModels.find(detections, {
      where: { workspaceId },
      sort: [
        ['detectedAt', 'desc'],
        ['id', 'desc'],
      ],
      limit: 25,
    });
  }
  const key = detectionKey(newest?.id ?? 0);
  const server = createServer((request, response) => {
    const read = request.url === '/page' ? page() : readModels.get(detections, key);
    void read.then((found) => response.end(JSON.stringify(found)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The clients run in a separate process, so that their cost does not count for the service. */
const runClients = (order: ClientOrder): Promise<ClientAnswer> => answerOf('./query-clients.js', {}, order);

const requestOf = (
  name: string,
  service: TestService,
  { workspace }: World,
  { method, path, body }: QueryRequest,
): MeasuredRequest => {
  const text = body === null ? null : JSON.stringify(body);
  return {
    name,
    method,
    url: `${service.url}${path}`,
    headers: {
      authorization: `Bearer ${workspace.apiKey}`,
      ...(text === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    },
    body: text,
  };
};

export const queriesBench: Bench = {
  name: 'queries',
  async run(words) {
    const routes = queryRoutes().filter(({ route }) => words.some((word) => route.includes(word)));
    if (routes.length === 0) throw new Error(`no route has ${words.join(' or ')} in its path`);
    const service = await startTestService({ NODE_ENV: 'production', CLOCK: 'manual' });
    const short = await furnishWorld(service, SHORT);
    const long = await furnishWorld(service, LONG);
    await service.ops('clock.set', { now: NOW });

    const requests: MeasuredRequest[] = [];
    for (const route of routes) {
      const first = firstRequest(route, long.owned);
      requests.push(requestOf(`short ${route.route}`, service, short, firstRequest(route, short.owned)));
      requests.push(requestOf(`long ${route.route}`, service, long, first));
      const deep = await deepRequest(long.workspace, route, first, LONG / 2);
      if (deep !== null) requests.push(requestOf(`deep ${route.route}`, service, long, deep));
    }
    const bare = await bareServer(service.service.host.readModels, long.workspace.id);
    const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
    for (const kind of ['page', 'document']) {
      requests.push({ name: kind, method: 'GET', url: `${bareUrl}/${kind}`, headers: {}, body: null });
    }
    const latencies = await runClients({
      requests,
      clients: CLIENTS,
      rounds: ROUNDS,
      callsARound: CALLS_A_ROUND,
    });
    bare.close();
    await service.stop();
    return routes.flatMap(({ route, pages, path }) => {
      const kind = pages === null && path.includes(':') ? 'document' : 'page';
      return measurements(route, kind, (name) => latencies[name]);
    });
  },
};

function measurements(
  route: string,
  kind: 'page' | 'document',
  latency: (name: string) => Latency | undefined,
): readonly Measurement[] {
  const bare = { latency: latency(kind), name: `a bare ${kind} from the read store` };
  const short = { latency: latency(`short ${route}`), name: `a history of ${SHORT.toLocaleString('en')}` };
  const first = { latency: latency(`long ${route}`), name: 'the first page' };
  const deep = { latency: latency(`deep ${route}`) };
  const compared = [
    { what: '', asked: first, beside: bare, goal: null },
    { what: 'long history, ', asked: first, beside: short, goal: { atMost: GROWS_AT_MOST } },
    ...(deep.latency === undefined
      ? []
      : [{ what: 'deep page, ', asked: deep, beside: first, goal: { atMost: GROWS_AT_MOST } }]),
  ];
  const calls = (ROUNDS + 1) * CALLS_A_ROUND;
  return compared.flatMap(({ what, asked, beside, goal }) =>
    (['p50', 'p99'] as const).map((share): Measurement => {
      const [own, other] = [timesOf(asked.latency, share), timesOf(beside.latency, share)];
      return {
        what: `${route}, ${what}${share}`,
        measured: percentile(own, 0.5),
        beside: beside.name,
        besideValue: percentile(other, 0.5),
        // A round is a few seconds: other load on the machine affects both.
        ratio: percentile(
          own.map((time, round) => time / (other[round] ?? Number.NaN)),
          0.5,
        ),
        goal,
        unit: 'ms',
        proof: `${calls - (asked.latency?.failures ?? calls)} of ${calls} answered with 200, ${CLIENTS} clients, ${LONG.toLocaleString('en')} detections`,
      };
    }),
  );
}

const timesOf = (latency: Latency | undefined, share: 'p50' | 'p99'): readonly number[] =>
  (latency?.rounds ?? []).map((round) => round[`${share}Ms`]);
