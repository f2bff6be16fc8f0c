import { existsSync, mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { brotliDecompressSync } from 'node:zlib';
import { startTestService, type TestService } from '../support/service.js';
import { signedIn } from '../support/console-visitor.js';
import { percentile, type Bench, type Measurement } from './bench.js';
import { writeLedger } from './ledger-history.js';

const ENTRIES = Number(process.env['CONSOLE_ENTRIES'] ?? 1_000_000);
const WORKSPACES = Number(process.env['CONSOLE_WORKSPACES'] ?? 1_000);
/** A folder for a ledger that is kept: an existing one is measured again. */
const DATA = process.env['CONSOLE_DATA'];
const ROUNDS = 40;
const FIRST_BYTE_MS = 50;
const WHOLE_MS = 200;
const MOST_KIB = 60;

const NOW = '2031-01-01T12:00:00.000Z';
const FIVE_YEARS_MS = 5 * 365 * 86_400_000;
const FOUR_WEEKS_MS = 28 * 86_400_000;

/**
 * Every page that a person opens, on a ledger with this many entries: workspace 1 has a tenth of them over five
 * years, the others the rest in the last four weeks. All pages are requested in turns, with warm caches, by one
 * browser that takes brotli.
 */
export const consoleBench: Bench = {
  name: 'console',
  async run(routes) {
    const isKept = DATA !== undefined && existsSync(join(DATA, 'events.db'));
    if (DATA !== undefined) mkdirSync(DATA, { recursive: true });
    const service = await startTestService({ CLOCK: 'manual', MONITORING_PASS: 'off' }, DATA);
    try {
      if (!isKept) await furnish(service);
      await readModelsBeside(service);
      const { cookie } = await signedIn(service, service.token);
      const ask = asker(service.service.opsUrl ?? '', cookie());
      const pages = (await pagesOf(service)).filter((path) => routes.some((word) => path.includes(word)));
      const found = new Map(pages.map((path) => [path, new Array<Answer>()]));
      for (let round = -5; round < ROUNDS; round += 1) {
        for (const path of pages) {
          const answer = await ask(path);
          if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}`);
          if (round >= 0) found.get(path)?.push(answer);
        }
      }
      const { body } = await service.ops('ledger.days', { workspace_id: 1 });
      const shown = await service.ops('workspace.show', { workspace_id: 1 });
      const isSame = body.balance === shown.body.balance.balance;
      const proof = `${WRITTEN.toLocaleString('en')} entries, ${WORKSPACES} workspaces; the chart of workspace 1 ends ${isSame ? 'with' : 'WITHOUT'} its balance`;
      const sizes = new Map<string, number>();
      for (const path of pages) sizes.set(path, await kibWithAssets(ask, path));
      return pages.flatMap((path) => lines(path, found.get(path) ?? [], sizes.get(path) ?? NaN, proof));
    } finally {
      await (DATA === undefined ? service.stop() : service.service.stop());
    }
  },
};

type Answer = {
  readonly status: number;
  readonly firstMs: number;
  readonly wholeMs: number;
  readonly bytes: Buffer;
};
type Ask = (path: string) => Promise<Answer>;

function lines(path: string, answers: readonly Answer[], kib: number, proof: string): readonly Measurement[] {
  const limited = (what: string, values: readonly number[], besideValue: number): Measurement => ({
    what: `${what}, p95 (p50 ${percentile(values, 0.5).toFixed(1)} ms)`,
    measured: percentile(values, 0.95),
    unit: 'ms',
    beside: 'its limit',
    besideValue,
    goal: { atMost: 1 },
    proof,
  });
  return [
    limited(
      `first byte of ${path}`,
      answers.map(({ firstMs }) => firstMs),
      FIRST_BYTE_MS,
    ),
    limited(
      `the whole of ${path}`,
      answers.map(({ wholeMs }) => wholeMs),
      WHOLE_MS,
    ),
    {
      what: `${path} with its script and style, compressed`,
      measured: kib,
      unit: 'KiB',
      beside: 'its limit',
      besideValue: MOST_KIB,
      goal: { atMost: 1 },
      proof,
    },
  ];
}

/** Sends requests like a browser, over one connection; counts the transferred bytes. */
function asker(origin: string, cookie: string): Ask {
  const headers = { cookie, 'accept-encoding': 'gzip, deflate, br', connection: 'keep-alive' };
  return (path) =>
    new Promise((done, failed) => {
      const startedAt = performance.now();
      const asked = request(origin + path, { headers }, (answer) => {
        const firstMs = performance.now() - startedAt;
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () => {
          const wholeMs = performance.now() - startedAt;
          done({ status: answer.statusCode ?? 0, firstMs, wholeMs, bytes: Buffer.concat(pieces) });
        });
      });
      asked.on('error', failed).end();
    });
}

/** The transferred size of a page with everything that it loads. */
async function kibWithAssets(ask: Ask, path: string): Promise<number> {
  const { bytes } = await ask(path);
  const assets = new Set(
    brotliDecompressSync(bytes)
      .toString()
      .match(/\/console\/assets\/[\w.-]+/g),
  );
  let sum = bytes.length;
  for (const asset of assets) sum += (await ask(asset)).bytes.length;
  return sum / 1_024;
}

async function pagesOf(service: TestService): Promise<readonly string[]> {
  const statement = await service.ops('ledger.statement', {
    workspace_id: 1,
    from: '2030-12-01',
    to: '2031-01-01',
  });
  const movement: number = statement.body.rows.at(-1).movement_id;
  const inWorkspace = [
    'ledger',
    'ledger?month=2030-12',
    'ledger?month=2030-12&range=5y',
    'ledger?month=2030-12&at=2029-06-01',
    `movements/${movement}`,
    'charges?setup=1',
    'signals',
    'runs',
    'schedules',
    'monitoring',
    'forecast',
    'holds',
    'months?month=2030-12',
    'deliveries',
    'access',
  ];
  return [
    '/console',
    '/console?page=5',
    '/console?by=balance',
    '/console?by=run-out',
    '/console?alert=any',
    '/console?named=space+99',
    '/console/search?q=Workspace+1',
    '/console/sources',
    '/console/read-models',
    '/console/read-models/one?name=credit-movements',
    '/console/log',
    '/console/log/stream?stream=credits-1',
    '/console/log/event?stream=credits-1&revision=1000',
    '/console/work',
    '/console/prices',
    '/console/operators',
    '/console/audit',
    '/console/actions/credits.grant?workspace_id=1&credits=5&reason=bench',
    '/console/actions/ledger.close_month?workspace_id=1&month=2030-12',
    ...inWorkspace.map((page) => `/console/workspaces/1/${page}`),
  ];
}

/** Movements of workspace 1, and of each other one. */
const GREATEST = Math.max(Math.floor(ENTRIES / 20) - 1, 1);
const OTHERS = Math.max(Math.floor((ENTRIES - 2 * GREATEST) / (WORKSPACES - 1) / 2) - 1, 1);
const WRITTEN = 2 * GREATEST + 2 + (WORKSPACES - 1) * (2 * OTHERS + 2);

/** Writes the workspaces with their ledgers and waits until every read model shows them. */
async function furnish(service: TestService): Promise<void> {
  const { eventStore } = service.service.host;
  await service.ops('clock.set', { now: NOW });
  let ids = 0;
  for (let id = 1; id <= WORKSPACES; id += 1) {
    const movements = id === 1 ? GREATEST : OTHERS;
    const span = id === 1 ? FIVE_YEARS_MS : FOUR_WEEKS_MS;
    const begin = Date.parse(NOW) - span;
    const recordedAt = (movement: number): string =>
      new Date(begin + Math.floor((movement / movements) * span)).toISOString();
    const metadata = {
      workspaceId: String(id),
      actorKind: 'operator',
      actorId: 'operator',
      commandId: `workspace:${id}`,
      correlationId: 'bench',
      recordedAt: recordedAt(0),
      schemaVersion: '1',
    };
    const data = { name: `Workspace ${id}`, topAccountListId: 2 * id, employeeListId: 2 * id + 1 };
    const provisioned = { id: crypto.randomUUID(), type: 'WorkspaceProvisioned', data, metadata };
    await eventStore.append(`workspace-${id}`, 'no-stream', [provisioned]);
    await writeLedger(eventStore, id, movements, ids, recordedAt);
    ids += movements + 1;
  }
  await readModelsBeside(service);
  const workspace_id = 1;
  const expires_at = '2031-03-01';
  const grant = { credits: 10, reason: 'bench', every: 'month', from: '2031-02-01' };
  for (const [command, input] of [
    ['credits.grant', { workspace_id, credits: 500, reason: 'bench', expires_at }],
    ['credits.recurring.add', { workspace_id, ...grant }],
    ['caps.set', { workspace_id, scope: 'workspace', period: 'month', limit: 100_000 }],
  ] as const) {
    const { status, body } = await service.ops(command, input);
    if (status !== 200) throw new Error(`${command} is answered with ${status}: ${JSON.stringify(body)}`);
  }
}

/** Waits until the read models show the written data; a drain gives up earlier when they are far behind. */
async function readModelsBeside(service: TestService): Promise<void> {
  for (;;) {
    const { status, body } = await service.ops('work.drain');
    if (status === 200) return;
    if (status !== 503) throw new Error(`work.drain is answered with ${status}: ${JSON.stringify(body)}`);
  }
}
