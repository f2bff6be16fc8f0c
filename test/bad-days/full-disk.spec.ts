import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { openStores } from '#runtime/stores.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { soon } from '#test/support/event-stores.js';
import { startTestService } from '#test/support/service.js';

const TOKEN = 'operator-token-of-a-full-disk';

/** The compiled service with this open file as its log. */
async function startLoggingInto(fd: number, dataDirectory: string) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('#apps/api/src/main.js'))], {
    env: {
      ...process.env,
      DATA_DIR: dataDirectory,
      PORT: '0',
      OPS_PORT: '0',
      OPS_TOKEN: TOKEN,
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', fd, 'inherit'],
  });
  const ended = once(child, 'exit').then(([code]): unknown => code);
  const file = join(dataDirectory, 'address.json');
  const written = async (): Promise<void> => {
    while (!existsSync(file)) await delay(10);
  };
  await soon('the service', Promise.race([written(), ended]));
  const address: { readonly url: string; readonly ops_url: string } = JSON.parse(readFileSync(file, 'utf8'));
  const authorization = `Bearer ${TOKEN}`;
  return {
    statusOf: async (path: string) => (await fetch(`${address.url}${path}`)).status,
    readiness: async () => (await fetch(`${address.url}/health/ready`)).text(),
    create: async () => {
      const answer = await fetch(`${address.ops_url}/ops/workspace.create`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Full', credits: 1 }),
      });
      return answer.status;
    },
    droppedLines: async () => {
      const text = await (await fetch(`${address.ops_url}/metrics`, { headers: { authorization } })).text();
      return Number(/^log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
    },
    stop: () => {
      child.kill('SIGTERM');
      return soon('the end of the service', ended);
    },
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(20);
}

describe('a full disk', () => {
  it('for the log: the service answers, counts the lost lines, and ends on request', async () => {
    if (!existsSync('/dev/full')) {
      diagnostic('skipped: this machine has no /dev/full');
      return;
    }
    const dataDirectory = mkdtempSync(join(tmpdir(), 'signal-ledger-'));
    const service = await startLoggingInto(openSync('/dev/full', 'w'), dataDirectory);
    expect(await service.statusOf('/health/live')).toBe(200);
    await until(async () => (await service.droppedLines()) > 1);
    expect(await service.statusOf('/health/live')).toBe(200);
    expect(await service.stop()).toBe(0);
    rmSync(dataDirectory, { recursive: true });
  });

  it('for the event store: the service is not ready and says why, until there is room', async () => {
    let isFull = false;
    await using service = await startTestService({}, undefined, {
      openStores: async (settings) => {
        const stores = await openStores(settings);
        const requireSpace = async (): Promise<void> => {
          if (isFull) throw new StoreUnavailable('events.db has no room to grow: the disk is full');
          await stores.events.requireSpace();
        };
        return { ...stores, events: { ...stores.events, requireSpace } };
      },
    });
    await until(async () => (await service.call('GET /health/ready')).status === 200);
    isFull = true;
    const { status, body } = await service.call('GET /health/ready');
    expect([status, body.reasons]).toEqual([
      503,
      ['event store: events.db has no room to grow: the disk is full'],
    ]);
    expect((await service.call('GET /health/live')).status).toBe(200);
    isFull = false;
    expect((await service.call('GET /health/ready')).status).toBe(200);
  });

  it('for both, on one file system: nothing ends, and everything works when there is room again', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'signal-ledger-disk-'));
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]).status === 0;
    if (!mounted) {
      diagnostic('skipped: file systems cannot be mounted here');
      rmSync(disk, { recursive: true });
      return;
    }
    try {
      const dataDirectory = join(disk, 'data');
      mkdirSync(dataDirectory);
      const log = join(disk, 'log');
      const service = await startLoggingInto(openSync(log, 'a'), dataDirectory);
      await until(async () => (await service.statusOf('/health/ready')) === 200);
      expect(await service.create()).toBe(200);

      const filler = join(disk, 'filler');
      expect(() => writeFileSync(filler, Buffer.alloc(64 * 1024 * 1024))).toThrow(/ENOSPC/);
      expect(await service.statusOf('/health/ready')).toBe(503);
      expect(await service.readiness()).toContain('has no room to grow: the disk is full');
      await until(async () => (await service.create()) === 503);
      await until(async () => (await service.droppedLines()) > 0);
      expect(await service.statusOf('/health/live')).toBe(200);

      rmSync(filler);
      await until(async () => (await service.statusOf('/health/ready')) === 200);
      expect(await service.create()).toBe(200);
      expect(await service.stop()).toBe(0);
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
      const isWhole = (line: string): boolean => line.startsWith('{"level"') && line.endsWith('}');
      // at most one line was cut off each time the disk filled up, and none ran into another
      expect(lines.filter((line) => line.includes('}{'))).toEqual([]);
      expect(isWhole(lines.at(-1) ?? '')).toBe(true);
    } finally {
      spawnSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true, force: true });
    }
  });
});
