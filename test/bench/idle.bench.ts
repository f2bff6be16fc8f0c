import { existsSync } from 'node:fs';
import { pause } from '#kernel/commands/retry.js';
import { OPS_TOKEN, startServiceProcess } from '../support/service-process.js';
import { below, type Bench } from './bench.js';
import { memoryMib, workedMs } from './process-usage.js';
import { runHoldClients } from './run-hold-clients.js';
import { temporaryFolder } from './temporary-folder.js';
import { operator, untilReady } from './two-processes.bench.js';

/** Garbage of the start is collected later: V8 looks for it after 20 s of quiet, in every thread. */
const SETTLED_AFTER_MS = 45_000;
const WATCHED_FOR_MS = 40_000;
const MOST_IDLE_PERCENT = 0.5;
const MOST_IDLE_MIB = 200;
const MOST_BUSY_MIB = 350;
const CLIENTS = 50;
const HOLDS = 12_000;

/** Machine resources of the service in a separate process: while idle, and under the hot workspace's load. */
export const idleBench: Bench = {
  name: 'idle',
  async run() {
    // Only Linux reports them.
    if (!existsSync('/proc/self/stat')) return [];
    const folder = temporaryFolder();
    const service = await startServiceProcess(folder, 'api,worker', { NODE_ENV: 'production' });
    const { pid, opsUrl } = service;
    await untilReady(service);
    const { workspace_id } = await operator(service, 'workspace.create', {
      name: 'Bench',
      credits: 1_000_000,
    });
    await pause(SETTLED_AFTER_MS);
    const [startedAt, before] = [performance.now(), workedMs(pid)];
    await pause(WATCHED_FOR_MS);
    const idlePercent = ((workedMs(pid) - before) / (performance.now() - startedAt)) * 100;
    const idleMib = memoryMib(pid, 'VmRSS');
    const report = await runHoldClients({
      opsUrl,
      token: OPS_TOKEN,
      workspaceIds: [workspace_id],
      clients: CLIENTS,
      holds: HOLDS,
    });
    const busyMib = memoryMib(pid, 'VmHWM');
    await service.stop();
    const watched = `measured for ${WATCHED_FOR_MS / 1_000} s, ${SETTLED_AFTER_MS / 1_000} s after its first responses`;
    const asked = `${report.mismatches} mismatches; ${Math.round(report.holdsPerSecond)} holds/s`;
    return [
      below('CPU of an idle service, of one core', '%', idlePercent, MOST_IDLE_PERCENT, watched),
      below('memory of an idle service', 'MiB', idleMib, MOST_IDLE_MIB, watched),
      below(`peak memory, ${CLIENTS} clients on a hot workspace`, 'MiB', busyMib, MOST_BUSY_MIB, asked),
    ];
  },
};
