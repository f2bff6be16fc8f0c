import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { OPS_TOKEN, startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { whileAskingBalance } from './ask-balance.js';
import { below, percentile, type Bench, type Measurement } from './bench.js';
import { memoryMib, workedMs } from './process-usage.js';
import { temporaryFolder } from './temporary-folder.js';
import { operator, untilReady } from './two-processes.bench.js';

const JOBS = 838;
const BOARD_BYTES = 14 * 1024 * 1024;
const BOARD_WITHIN_S = 3;
const BOARD_MIB = 150;
const SETTLED_MS = 5_000;

const SOURCES = 1_000;
const CHANGED = 10;
const SOURCES_WITHIN_S = 60;
const MOST_MS = 50;
const LOOK_EVERY_MS = 20;
const ALONE_MS = 5_000;
const GIVEN_UP_AFTER_MS = 300_000;

const SETTINGS = {
  NODE_ENV: 'production',
  OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
  SOURCE_CONTACT: 'ops@bench.example',
};

/** Polls of sources by a service in a separate process, with simulated providers on this machine. */
export const sourcesBench: Bench = {
  name: 'sources',
  async run() {
    // Other systems have one loopback address, and do not report the memory of a process.
    if (!existsSync('/proc/self/stat')) return [];
    return [...(await largeBoard()), ...(await manySources())];
  },
};

async function largeBoard(): Promise<readonly Measurement[]> {
  const words = 'we build tools for people who sell and you look after them '.repeat(
    Math.ceil(BOARD_BYTES / JOBS / 60),
  );
  const body = JSON.stringify({
    jobs: Array.from({ length: JOBS }, (_, id) => ({
      id: String(id),
      title: `Engineer ${id}`,
      isListed: true,
      publishedAt: '2026-01-05T10:00:00Z',
      jobUrl: `https://jobs.ashbyhq.com/bench/${id}`,
      descriptionHtml: `<p>${words}</p>`,
    })),
  });
  let askedAt = 0;
  const provider = await listening((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    askedAt = performance.now();
    response.end(body);
  });
  const folder = temporaryFolder();
  const service = await startServiceProcess(folder, 'api,worker', SETTINGS);
  try {
    await untilReady(service);
    await delay(SETTLED_MS);
    const idleMib = memoryMib(service.pid, 'VmRSS');
    const idleMs = workedMs(service.pid);
    await operator(service, 'source.add', {
      url: 'https://jobs.ashbyhq.com/bench',
      base_url: `http://127.0.0.1:${provider.port}`,
      domain: 'bench.example',
    });
    const [source] = await polled(service, 1);
    const seconds = (performance.now() - askedAt) / 1_000;
    const workedS = (workedMs(service.pid) - idleMs) / 1_000;
    if (source?.['error'] !== null) throw new Error(String(source?.['error']));
    const proof = `${JOBS} postings, ${Math.round(body.length / 1_024 / 1_024)} MB; ${String(source?.['new'])} stored with ${workedS.toFixed(1)} s of processor`;
    const moreMib = memoryMib(service.pid, 'VmHWM') - idleMib;
    return [
      below(
        'a large board, from the request to the last stored posting',
        's',
        seconds,
        BOARD_WITHIN_S,
        proof,
      ),
      below('the same, memory above the idle service', 'MiB', moreMib, BOARD_MIB, proof),
    ];
  } finally {
    await service.stop();
    await provider.close();
  }
}

async function manySources(): Promise<readonly Measurement[]> {
  let isLater = false;
  let unchanged = 0;
  const provider = await listening((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    const host = Number((request.headers.host ?? '').split(':')[0]?.split('.')[3]);
    const edition = isLater && host % (SOURCES / CHANGED) === 0 ? 2 : 1;
    if (request.headers['if-none-match'] === `"${edition}"`) {
      unchanged += 1;
      return void response.writeHead(304).end();
    }
    const item = `<item><guid>${edition}</guid><title>Edition ${edition}</title></item>`;
    response.writeHead(200, { etag: `"${edition}"` });
    response.end(`<rss version="2.0"><channel><title>t</title>${item}</channel></rss>`);
  });
  const folder = temporaryFolder();
  const start = () => startServiceProcess(folder, 'api,worker', SETTINGS);
  let service = await start();
  try {
    await untilReady(service);
    const { api_key } = await operator(service, 'workspace.create', { name: 'Bench', credits: 10 });
    const lines = Array.from({ length: SOURCES }, (_, index) => {
      const address = `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
      return JSON.stringify({ url: `http://${address}:${provider.port}/feed`, domain: `c${index}.example` });
    });
    await imported(service, lines.join('\n'));
    await polled(service, SOURCES);
    const alone = await whileAskingBalance(service.url, api_key, () => delay(ALONE_MS));
    await service.stop();
    fallDue(join(folder, 'network.db'));
    isLater = true;
    unchanged = 0;
    service = await start();
    await untilReady(service);
    let seconds = 0;
    const times = await whileAskingBalance(service.url, api_key, async () => {
      const startedAt = performance.now();
      while (unchanged < SOURCES - CHANGED && performance.now() - startedAt < GIVEN_UP_AFTER_MS)
        await delay(LOOK_EVERY_MS);
      seconds = (performance.now() - startedAt) / 1_000;
    });
    const proof = `${unchanged} of ${SOURCES} answered 304; ${times.length} balances; without polls their p99 is ${percentile(alone, 0.99).toFixed(1)} ms`;
    return [
      below(`${SOURCES} sources on ${SOURCES} hosts, polled again`, 's', seconds, SOURCES_WITHIN_S, proof),
      below('a balance request every 20 ms meanwhile, p99', 'ms', percentile(times, 0.99), MOST_MS, proof),
    ];
  } finally {
    await service.stop();
    await provider.close();
  }
}

/** A web server on every address of 127.0.0.0/8. */
async function listening(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the provider has no port');
  return {
    port: address.port,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function imported(service: ServiceProcess, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${OPS_TOKEN}`, 'content-type': 'application/x-ndjson' };
  const answer = await fetch(`${service.opsUrl}/ops/source.import`, { method: 'POST', headers, body });
  const parsed: unknown = await answer.json();
  if (!answer.ok) throw new Error(JSON.stringify(parsed));
}

type Row = Readonly<Record<string, unknown>>;

/** Waits until this many sources were polled; returns their first page. */
async function polled(service: ServiceProcess, count: number): Promise<readonly Row[]> {
  const until = Date.now() + GIVEN_UP_AFTER_MS;
  for (;;) {
    let done = 0;
    let first: readonly Row[] = [];
    for (let page = 1; page <= Math.ceil(count / 100); page += 1) {
      const { sources } = await operator(service, 'source.list', { page, page_size: 100 });
      if (page === 1) first = sources;
      done += sources.filter(({ last_poll }: Row) => last_poll !== null).length;
    }
    if (done >= count) return first;
    if (Date.now() > until) throw new Error(`${done} of ${count} sources were polled`);
    await delay(count === 1 ? LOOK_EVERY_MS : 500);
  }
}

/** Makes every source due, as if its pause were over. */
function fallDue(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`UPDATE poll SET memory = json_set(memory, '$.nextPollAtMs', 0, '$.notBeforeMs', 0)`);
  db.close();
}
