import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PARTITIONS } from '#kernel/events/workspace-partition.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { OPS_TOKEN, startReadyService } from './service-process.js';
import type { UnreadOrders } from './unread-clients.js';

/** The observations of a normal customer and its operator beside clients that do not read. */
export type UnreadReport = {
  readonly phase: string;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Highest memory of the process so far. */
  readonly peakMiB: number;
  /** Connections cut so far. */
  readonly cut: number;
  /** Looks so far at which a lease had no holder. The process drops a lease itself after it stood still for 4 s. */
  readonly lapses: number;
};

export type UnreadCampaign = {
  /** Requests of the normal customer in each phase with one kind of client. */
  readonly requestsOfEach: number;
  /** The same with both kinds. */
  readonly requestsOfBoth: number;
  /** Interval between its requests, in ms. */
  readonly everyMs: number;
  readonly slowReaders: number;
};

const ATTACKERS = 6;
/** With Node.js 20 the process stays below 300 MiB; later versions leave more garbage, 401 MiB at most until now. */
const MOST_MIB = 500;
const LOOKS_EVERY_REQUESTS = 20;

/**
 * A normal customer beside six connections that send 3,000 requests each and read nothing, beside slow readers, and
 * beside both, without any rate limit. Throws if it is refused, if the process takes more than 400 MiB, and if a lease
 * gets another holder or stays without one.
 */
export async function unreadCampaign(
  { requestsOfEach, requestsOfBoth, everyMs, slowReaders }: UnreadCampaign,
  onPhase: (report: UnreadReport) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'unread-'));
  const service = await startReadyService(folder, 'api,worker');
  let peakMiB = 0;
  let leases: readonly string[] = [];
  let cut = 0;
  let lapses = 0;

  async function metricLines(): Promise<readonly string[]> {
    const answer = await fetch(`${service.opsUrl}/metrics`, {
      headers: { authorization: `Bearer ${OPS_TOKEN}` },
    });
    return (await answer.text()).split('\n');
  }

  const isHeld = (line: string): boolean => line.startsWith('lease_holder_info{');
  const heldLeases = async (): Promise<readonly string[]> => (await metricLines()).filter(isHeld);

  async function look(): Promise<void> {
    const lines = await metricLines();
    const sumOf = (name: string): number =>
      lines
        .filter((line) => line.startsWith(name))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    peakMiB = Math.max(peakMiB, Math.round(sumOf('process_resident_memory_bytes ') / 1_048_576));
    cut = sumOf('http_connections_cut_total{');
    const held = lines.filter(isHeld);
    expect(leases).toEqual(expect.arrayContaining(held));
    if (held.length < leases.length) lapses += 1;
    expect(peakMiB).toBeLessThan(MOST_MIB);
  }

  async function phase(
    name: string,
    count: number,
    apiKey: string,
    clients: Pick<UnreadOrders, 'attackers' | 'slowReaders'>,
  ): Promise<void> {
    const orders = {
      ...clients,
      port: portOf(service.url),
      opsPort: portOf(service.opsUrl),
      opsToken: OPS_TOKEN,
    };
    const child = await startClients(orders);
    const tookMs: number[] = [];
    try {
      for (let each = 0; each < count; each += 1) {
        const path = PATHS[each % PATHS.length] ?? '';
        const startedAt = performance.now();
        const answer = await service.call(apiKey, `GET ${path}`);
        tookMs.push(performance.now() - startedAt);
        expect([path, answer?.status]).toEqual([path, 200]);
        if (each % LOOKS_EVERY_REQUESTS === 0) await look();
        if (everyMs > 0) await delay(everyMs);
      }
      await look();
      await eventually(async () => (await heldLeases()).length === leases.length);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    tookMs.sort((one, other) => one - other);
    const at = (part: number): number =>
      Math.round((tookMs[Math.floor(tookMs.length * part)] ?? 0) * 10) / 10;
    onPhase({ phase: name, requests: count, p50Ms: at(0.5), p99Ms: at(0.99), peakMiB, cut, lapses });
  }

  try {
    const { api_key: apiKey } = await service.command('workspace.create', {
      name: 'Good customer',
      credits: 100,
    });
    // The due work takes its leases after the first response can be sent.
    await eventually(async () => {
      leases = await heldLeases();
      return leases.length > PARTITIONS;
    });
    await phase('alone', requestsOfEach, apiKey, { attackers: 0, slowReaders: 0 });
    await phase('attack', requestsOfEach, apiKey, { attackers: ATTACKERS, slowReaders: 0 });
    await phase('slow readers', requestsOfEach, apiKey, { attackers: 0, slowReaders });
    await phase('both', requestsOfBoth, apiKey, { attackers: ATTACKERS, slowReaders });
    expect(await service.stop()).toBe(0);
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const PATHS = ['/api/v3/credits/balance', '/api/v2/agents', '/api/v3/signal-templates', '/api/v2/personas'];

const portOf = (url: string): number => Number(new URL(url).port);

/** Clients in a separate process: their cost must not be measured with the customer. */
async function startClients(orders: UnreadOrders): Promise<ChildProcess> {
  const child = fork(fileURLToPath(import.meta.resolve('#test/support/unread-clients.js')));
  child.send(orders);
  await once(child, 'message');
  return child;
}
