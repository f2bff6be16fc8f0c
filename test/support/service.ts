import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest, { type Test } from 'supertest';
import type { Outside } from '#runtime/outside.js';
import { readSettings, type Settings } from '#runtime/settings.js';
import { startService, type Service } from '#apps/api/src/service.js';
import { removeStores, storesUnderTest } from './stores-under-test.js';
import { expectDeclared } from './declared-answers.js';

/** An answer of the service: status, headers and the body as JSON (null when there is none). */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  // The shape is what the test asserts.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
};

export type TestWorkspace = {
  readonly id: number;
  readonly apiKey: string;
  readonly talId: number;
  readonly employeeListId: number;
  /** Calls the public API with this workspace's key. */
  readonly call: (route: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
};

/** The service on embedded stores in a temporary folder, as an API test uses it; `await using` stops it. */
export type TestService = AsyncDisposable & {
  readonly service: Service;
  readonly url: string;
  readonly dataDirectory: string;
  /** To open the same stores beside it. */
  readonly settings: Settings;
  /** Token of the private listener. */
  readonly token: string;
  /** `call('GET /api/v3/usage')` without a key. */
  readonly call: (route: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** An operator command over the private listener: `ops('credits.grant', {…})`. */
  readonly ops: (command: string, input?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  readonly ingest: (observations: readonly object[]) => Promise<Answer>;
  readonly workspace: (options?: object) => Promise<TestWorkspace>;
  /** Types of the events that `work` added to all streams, in order; sequences are left out. */
  readonly eventsOf: (work: () => Promise<unknown>) => Promise<readonly string[]>;
  /** The same when background work of earlier tests may still run: that is done first. */
  readonly settledEventsOf: (work: () => Promise<unknown>) => Promise<readonly string[]>;
  /**
   * Excludes the workspace of a finished test from the time that later tests let pass: it is blocked, so that nothing
   * of it is renewed, and it is exempt, so that its balance is not checked hourly or daily.
   */
  readonly retire: (workspaceId: number) => Promise<void>;
  /** Retires every workspace made with `workspace` that is not retired yet. */
  readonly retireAll: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Streams written independently of the tested work: reserved ids, and the hourly look at balances. */
const KEPT_APART: ReadonlySet<string> = new Set(['BlockReserved', 'CreditsForeseen']);

const TOKEN = 'operator-token-for-tests';

/** For a command whose input is a file of lines, sent as a text. */
export const NDJSON = { 'content-type': 'application/x-ndjson' };

/**
 * Starts the service in this process on free ports. `environment` adds settings, e.g. `{ CLOCK: 'manual' }`;
 * `outside` gives it other stores or another time.
 */
export async function startTestService(
  environment: { readonly [variable: string]: string } = {},
  dataDirectory: string = mkdtempSync(join(tmpdir(), 'signal-ledger-')),
  outside: Partial<Outside> = {},
): Promise<TestService> {
  const stores = await storesUnderTest(dataDirectory);
  const settings = readSettings({
    NODE_ENV: 'test',
    DATA_DIR: dataDirectory,
    PORT: '0',
    OPS_PORT: '0',
    OPS_TOKEN: TOKEN,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_RPS: '0',
    // A test counts the runs that it launches; tests about passes switch them on.
    MONITORING_PASS: 'off',
    ...stores,
    ...environment,
  });
  const service = await startService(settings, outside);
  const { url, opsUrl } = service;
  if (url === null || opsUrl === null) throw new Error('the test service does not listen');
  const isOnServers = Object.keys(stores).length > 0 || environment['EVENT_STORE_URL'] !== undefined;
  if (isOnServers) await readModelsReady(url);

  const call = (route: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    declaredAnswer(route, send(url, route, body, headers));
  const ops: TestService['ops'] = (command, input = {}, headers = {}) =>
    send(opsUrl, `POST /ops/${command}`, input, { authorization: `Bearer ${TOKEN}`, ...headers });

  const eventsOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    const { eventStore } = service.host;
    const after = await eventStore.head();
    await work();
    const types: string[] = [];
    for await (const batch of eventStore.readAll({ after })) {
      types.push(...batch.events.map((event) => event.type).filter((type) => !KEPT_APART.has(type)));
    }
    return types;
  };

  /** Workspaces that are not retired. */
  const made = new Set<number>();
  const retire = async (workspaceId: number): Promise<void> => {
    made.delete(workspaceId);
    const over = { workspace_id: workspaceId };
    const answers = [
      await ops('workspace.block', { ...over, reason: 'the test is over' }),
      await ops('workspace.billing', { ...over, billing: 'exempt' }),
    ];
    for (const { status, body } of answers)
      if (status !== 200) throw new Error(`workspace ${workspaceId} is not retired: ${JSON.stringify(body)}`);
  };

  const stop = async (): Promise<void> => {
    await service.stop();
    await removeStores(dataDirectory);
    rmSync(dataDirectory, { recursive: true, force: true });
  };

  return {
    service,
    url,
    dataDirectory,
    settings,
    token: TOKEN,
    call,
    ops,
    async ingest(observations) {
      const lines = observations.map((observation) => JSON.stringify(observation)).join('\n');
      return ops('network.ingest', lines, NDJSON);
    },
    async workspace(options = {}) {
      const created = await ops('workspace.create', { name: 'Test', credits: 1000, ...options });
      if (created.status !== 200) throw new Error(`no workspace: ${JSON.stringify(created.body)}`);
      const { workspace_id, api_key, tal_id, employee_list_id } = created.body;
      made.add(workspace_id);
      return {
        id: workspace_id,
        apiKey: api_key,
        talId: tal_id,
        employeeListId: employee_list_id,
        call: (route, body, headers = {}) =>
          call(route, body, { authorization: `Bearer ${api_key}`, ...headers }),
      };
    },
    eventsOf,
    async settledEventsOf(work) {
      await ops('work.drain');
      return eventsOf(work);
    },
    retire,
    async retireAll() {
      for (const workspaceId of made) await retire(workspaceId);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Every answer of the public API must be declared in the OpenAPI document, besides the assertions of the test. */
async function declaredAnswer(route: string, asked: Promise<Answer>): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const answer = await asked;
  expectDeclared(method, path, answer);
  return answer;
}

/** On servers the first read models take seconds to make; until then queries are answered with 503. */
async function readModelsReady(url: string): Promise<void> {
  for (let looks = 0; looks < 20_000; looks += 1) {
    if ((await send(url, 'GET /health/ready', undefined, {})).status === 200) return;
  }
  throw new Error('the read models of the test service do not get ready');
}

async function send(
  url: string,
  route: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const asked = requestTo(url, method, path);
  if (body !== undefined) asked.set('content-type', 'application/json');
  asked.set(headers);
  if (body !== undefined) asked.send(typeof body === 'string' ? body : JSON.stringify(body));
  return read(asked);
}

/** A request on a new connection; it does not follow redirects. */
function requestTo(url: string, method: string, path: string): Test {
  const ask = Reflect.get(supertest(url), method.toLowerCase()) as ((path: string) => Test) | undefined;
  if (ask === undefined) throw new Error(`supertest knows no method ${method}`);
  return ask(path);
}

async function read(asked: Test): Promise<Answer> {
  let text = '';
  // The raw bytes: the test parses JSON itself.
  const response = await asked.buffer(true).parse((stream, done) => {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => (text += chunk));
    stream.on('end', () => done(null, text));
  });
  const headers = new Headers();
  for (const [name, values] of Object.entries<string | readonly string[]>(response.headers)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  const isText = /^text\/|ndjson/.test(headers.get('content-type') ?? '');
  return { status: response.status, headers, body: text === '' ? null : isText ? text : JSON.parse(text) };
}
