import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type DemoService = {
  readonly url: string;
  readonly dataDirectory: string;
  /** The pages for operators, and a token for signing in. */
  readonly console: { readonly url: string; readonly token: string };
  /** Calls the public API with a key: `api(key, 'GET /api/v3/usage')`. Throws the problem for 4xx and 5xx. */
  readonly api: (apiKey: string, route: string, body?: unknown) => Promise<Json>;
  readonly operator: (command: string, body: string | object) => Promise<Json>;
  /** Resolves when the service has ended by itself or by a signal. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

// Answers are read by name; the demo compares what it reads with its own count.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

const START_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 20;

/** Starts the real service as its own process, on a throw-away data directory and free ports. */
export async function startDemoService(): Promise<DemoService> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'signal-ledger-demo-'));
  const token = randomBytes(16).toString('hex');
  const main = fileURLToPath(import.meta.resolve('#apps/api/src/main.js'));
  const child = spawn(process.execPath, ['--enable-source-maps', main], {
    env: {
      ...process.env,
      DATA_DIR: dataDirectory,
      PORT: '0',
      OPS_PORT: '0',
      OPS_TOKEN: token,
      LOG_LEVEL: 'error',
      // Months pass at once, and their daily passes are not part of the demo.
      CLOCK: 'manual',
      // The demo serves the board and the feed that it reads.
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      SOURCE_CONTACT: 'demo@signal-ledger.example',
      MONITORING_PASS: 'off',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const addressFile = join(dataDirectory, 'address.json');
  const deadline = Date.now() + START_WITHIN_MS;
  while (!existsSync(addressFile) || readFileSync(addressFile, 'utf8') === '') {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('the service did not start');
    await delay(LOOK_EVERY_MS);
  }
  const { url, ops_url: opsUrl } = JSON.parse(readFileSync(addressFile, 'utf8'));
  return {
    url,
    dataDirectory,
    console: { url: `${opsUrl}/console`, token },
    ended,
    api(apiKey, route, body) {
      const [method = 'GET', path = '/'] = route.split(' ');
      return send(
        `${url}${path}`,
        method,
        apiKey,
        'application/json',
        body === undefined ? undefined : JSON.stringify(body),
      );
    },
    operator: (command, body) =>
      typeof body === 'string'
        ? send(`${opsUrl}/ops/${command}`, 'POST', token, 'application/x-ndjson', body)
        : send(`${opsUrl}/ops/${command}`, 'POST', token, 'application/json', JSON.stringify(body)),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function send(url: string, method: string, token: string, type: string, body?: string): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  });
  const answer: Json = response.status === 204 ? null : await response.json();
  if (!response.ok)
    throw new Error(`${method} ${url} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}
