import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ofPrograms } from './child-process.js';
import { soon } from './event-stores.js';
import { removeStores, storesUnderTest } from './stores-under-test.js';
import { temporaryFolder } from './temporary-folder.js';

/** The service as a separate operating system process. */
export type ServiceProcess = {
  readonly pid: number;
  /** No listener unless the process has the role `api`. */
  readonly url: string;
  readonly opsUrl: string;
  /** Lines of its log so far. */
  readonly log: readonly string[];
  /** Calls the public API with a key: `call(apiKey, 'GET /api/v3/usage')`. */
  readonly call: (
    apiKey: string,
    route: string,
    body?: object,
    headers?: { readonly [name: string]: string },
  ) => Promise<Reply>;
  /** An operator command over the private listener: `ops('credits.grant', {…})`. */
  readonly ops: (command: string, input?: string | object) => Promise<Reply>;
  /** The same, which succeeds; returns the body of its answer. */
  readonly command: (name: string, input?: string | object) => Promise<NonNullable<Reply>['body']>;
  /** Resolves when its read models have caught up. */
  readonly ready: () => Promise<void>;
  /** kill -9; resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  readonly stop: () => Promise<number | null>;
  /** SIGSTOP: it does nothing more, and its connections stay. */
  readonly pause: () => void;
  /** SIGCONT: it continues. */
  readonly resume: () => void;
};

export const OPS_TOKEN = 'operator-token-for-kills';

/** Starts the compiled service on free ports and waits for the log line with its address. */
export async function startServiceProcess(
  dataDirectory: string,
  roles: 'api' | 'worker' | 'api,worker' = 'api,worker',
  environment: { readonly [variable: string]: string } = {},
): Promise<ServiceProcess> {
  const main = roles === 'worker' ? '#apps/worker/src/main.js' : '#apps/api/src/main.js';
  const child = spawn(process.execPath, [...ofPrograms, fileURLToPath(import.meta.resolve(main))], {
    env: {
      ...process.env,
      DATA_DIR: dataDirectory,
      PORT: '0',
      OPS_PORT: '0',
      OPS_TOKEN,
      LOG_LEVEL: 'info',
      // tests send requests at full speed
      RATE_LIMIT_RPS: '0',
      ROLES: roles,
      ...(await storesUnderTest(dataDirectory)),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithTests(child);
  const ended = once(child, 'exit').then(([code]): number | null => (typeof code === 'number' ? code : null));
  let errors = '';
  const log: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const listening = new Promise<{ url: string; ops_url: string }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.push(line);
      if (line.includes('"listening"')) resolve(JSON.parse(line));
    });
    void ended.then((code) => reject(new Error(`the service ended with ${code}: ${errors}`)));
  });
  const { url, ops_url: opsUrl } = await soon('the service', listening);
  const ops: ServiceProcess['ops'] = (command, input = {}) =>
    request(`${opsUrl}/ops/${command}`, OPS_TOKEN, input);
  const call: ServiceProcess['call'] = (apiKey, route, body, headers) => {
    const [method, path] = route.split(' ');
    return request(`${url}${path}`, apiKey, body, method, headers);
  };
  return {
    pid: child.pid ?? 0,
    url,
    opsUrl,
    log,
    call,
    ops,
    async ready() {
      while ((await call('', 'GET /health/ready'))?.status !== 200) await delay(20);
    },
    async command(name, input) {
      const reply = await ops(name, input);
      if (reply?.status !== 200) throw new Error(`${name}: ${JSON.stringify(reply)}`);
      return reply.body;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      const code = await soon('the end of the service', ended);
      // A case shows only the code that it did not expect; this says why.
      if (code !== 0) process.stderr.write(`the service ended with ${code}: ${errors}\n`);
      return code;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}

/** The same, once its read models are served: before, a call may answer 503. */
export async function startReadyService(
  ...how: Parameters<typeof startServiceProcess>
): Promise<ServiceProcess> {
  const service = await startServiceProcess(...how);
  await soon('the read models of the service', service.ready());
  return service;
}

const running = new Set<ChildProcess>();
let endsWithTests = false;

/**
 * A data directory for the processes of a file. After its cases the processes are killed, and their data is removed,
 * also from servers.
 */
export function serviceFolder(name: string): string {
  afterAll(async () => {
    const ended = [...running].map((child) => once(child, 'exit'));
    for (const child of running) child.kill('SIGKILL');
    await Promise.all(ended);
    await removeStores(folder);
  });
  const folder = temporaryFolder(name);
  return folder;
}

/** A test file that is ended from outside, by its time limit, leaves no service behind. */
function endWithTests(child: ChildProcess): void {
  if (!endsWithTests) {
    endsWithTests = true;
    process.once('SIGTERM', () => {
      for (const one of running) one.kill('SIGKILL');
      process.exit(1);
    });
  }
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** The answer of a JSON call; null when the connection ended without one: the outcome is unknown. */
// The shape is what the test asserts.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Reply = { readonly status: number; readonly body: any } | null;

export async function request(
  url: string,
  token: string,
  body?: string | object,
  method = body === undefined ? 'GET' : 'POST',
  headers: { readonly [name: string]: string } = {},
): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    // fetch throws TypeError for every failed connection; anything else is a fault of the test.
    if (error instanceof TypeError) return null;
    throw error;
  }
}
