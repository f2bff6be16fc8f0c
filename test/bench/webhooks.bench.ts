import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { webhookEndpointViews } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { startTestService, type TestService, type TestWorkspace } from '../support/service.js';
import { below, percentile, type Bench, type Measurement } from './bench.js';
import { signalWriter, type SignalWriter } from './written-signals.js';
import type { ReceiverReport } from './webhook-receivers.js';

const WORKSPACES = Number(process.env['WEBHOOK_WORKSPACES'] ?? '1000');
const PER_SECOND = 200;
const SECONDS = Number(process.env['WEBHOOK_SECONDS'] ?? '20');
const TURNS = 2;
const PENDING = Number(process.env['WEBHOOK_PENDING'] ?? '100000');
const AT_ONCE = 500;
const MOST_P99_MS = 1_000;
/** A delivery that has not come this long after the last signal is missing. */
const PATIENCE_MS = 30_000;

type Turn = { readonly times: readonly number[]; readonly missing: number; readonly twice: number };

async function startReceivers(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = fork(fileURLToPath(new URL('./webhook-receivers.js', import.meta.url)));
  const [{ port }] = await once(child, 'message');
  return { child, url: `http://127.0.0.1:${port}/hook` };
}

async function report(child: ChildProcess): Promise<ReceiverReport> {
  const message = once(child, 'message');
  child.send('report');
  const [found] = await message;
  return found;
}

/** Signals at an even rate, each in another workspace; returns the time of each from its commit to its receiver. */
async function deliver(
  writer: SignalWriter,
  workspaces: readonly TestWorkspace[],
  child: ChildProcess,
): Promise<Turn> {
  await report(child);
  const written = new Map<string, number>();
  const startedAt = performance.now();
  const writing: Promise<void>[] = [];
  for (let signal = 0; signal < PER_SECOND * SECONDS; signal += 1) {
    const dueMs = (signal * 1_000) / PER_SECOND;
    const early = dueMs - (performance.now() - startedAt);
    if (early > 1) await delay(early);
    // 7 has no factor of 1,000: neighbours are far apart.
    const { id } = workspaces[(signal * 7) % workspaces.length] ?? { id: 0 };
    writing.push(
      writer.write(id, 1).then(({ ids, atMs }) => ids.forEach((eventId) => written.set(eventId, atMs))),
    );
  }
  await Promise.all(writing);
  const arrived: Record<string, number> = {};
  let requests = 0;
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await delay(200)) {
    const found = await report(child);
    Object.assign(arrived, found.arrivedAtMs);
    requests += found.requests;
    if (Object.keys(arrived).length >= written.size) break;
  }
  const times = [...written].flatMap(([id, atMs]) => (id in arrived ? [(arrived[id] ?? 0) - atMs] : []));
  return { times, missing: written.size - times.length, twice: requests - times.length };
}

async function furnish(service: TestService, url: string): Promise<readonly TestWorkspace[]> {
  const workspaces: TestWorkspace[] = [];
  while (workspaces.length < WORKSPACES) {
    const workspace = await service.workspace();
    const { status } = await workspace.call('POST /api/v3/webhook-endpoints', { url });
    if (status !== 201) throw new Error(`no endpoint: ${status}`);
    workspaces.push(workspace);
  }
  return workspaces;
}

/** A workspace whose one receiver does not listen, with this many waiting signals. */
async function deadReceiver(service: TestService, writer: SignalWriter): Promise<string> {
  const workspace = await service.workspace();
  await workspace.call('POST /api/v3/webhook-endpoints', { url: 'http://127.0.0.1:9/dead' });
  for (let pending = 0; pending < PENDING; pending += AT_ONCE) await writer.write(workspace.id, AT_ONCE);
  let found = 0;
  while (found < PENDING) {
    await delay(500);
    found = await pendingOf(service);
  }
  return `${found} deliveries wait for the dead receiver`;
}

/** The pending deliveries in the service's metrics. */
async function pendingOf({ service: { opsUrl }, token }: TestService): Promise<number> {
  const answer = await fetch(`${opsUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(/^webhook_deliveries_pending (\d+)/m.exec(await answer.text())?.[1] ?? '0');
}

const proofOf = (turns: readonly Turn[], endpoints: number): string =>
  `${turns.reduce((sum, { times }) => sum + times.length, 0)} signals to ${endpoints} endpoints; ` +
  `${turns.reduce((sum, { missing }) => sum + missing, 0)} missing, ` +
  `${turns.reduce((sum, { twice }) => sum + twice, 0)} twice`;

export const webhooksBench: Bench = {
  name: 'webhooks',
  async run() {
    const { child, url } = await startReceivers();
    const service = await startTestService({
      NODE_ENV: 'production',
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    });
    try {
      const writer = await signalWriter(service);
      const workspaces = await furnish(service, url);
      const endpoints = await service.service.host.readModels.count(webhookEndpointViews, {});
      await deliver(writer, workspaces.slice(0, 50), child);
      const turns: Turn[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) turns.push(await deliver(writer, workspaces, child));
      const dead = await deadReceiver(service, writer);
      const beside: Turn[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) beside.push(await deliver(writer, workspaces, child));
      const timesOf = (of: readonly Turn[]): readonly number[] => of.flatMap(({ times }) => times);
      const p50 = percentile(timesOf(turns), 0.5);
      const p99 = percentile(timesOf(turns), 0.99);
      const lines: Measurement[] = [
        below(
          `from the commit of a signal to its receiver, p99, ${WORKSPACES} workspaces, ${PER_SECOND} a second (p50 ${p50.toFixed(0)} ms)`,
          'ms',
          p99,
          MOST_P99_MS,
          proofOf(turns, endpoints),
        ),
        {
          what: `the same beside a dead receiver (p50 ${percentile(timesOf(beside), 0.5).toFixed(0)} ms)`,
          measured: percentile(timesOf(beside), 0.99),
          unit: 'ms',
          beside: 'without it',
          besideValue: p99,
          goal: { atMost: 1.1 },
          proof: `${dead}; ${proofOf(beside, endpoints)}`,
        },
      ];
      return lines;
    } finally {
      child.kill();
      await service.stop();
    }
  },
};
