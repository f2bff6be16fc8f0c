import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { openStores } from '#runtime/stores.js';
import { connect } from '#sqlite/open-database.js';
import { runScript } from '#test/support/child-process.js';
import { endedCli, onData } from '#test/support/cli.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { soon } from '#test/support/event-stores.js';
import { startTestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

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
    create: () => createAt(address.ops_url),
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

/** The note of a command line that did its work and cannot copy its log any more. */
const END_ON_FULL_DISK = /^end: [^\n]*events\.db[^\n]* the disk is full/m;

/** Creates a workspace, and answers the status. */
async function createAt(opsUrl: string): Promise<number> {
  const answer = await fetch(`${opsUrl}/ops/workspace.create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Full', credits: 1 }),
  });
  return answer.status;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(20);
}

/** Gives a file system of this size, in MiB, to `work`; skipped where none can be mounted. */
async function onDisk(size: number, work: (disk: string) => Promise<void>): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), 'signal-ledger-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'tmpfs', disk]).status === 0;
  try {
    if (mounted) await work(disk);
    else diagnostic('skipped: file systems cannot be mounted here');
  } finally {
    if (mounted) spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

describe('a full disk', () => {
  const before = temporaryFolder('full-disk-before');

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
    await onDisk(64, async (disk) => {
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
    });
  });

  it('when a service ends: its log stays beside the file, and it says so in one line and exits 3', async () => {
    await onDisk(64, async (disk) => {
      const dataDirectory = join(disk, 'data');
      mkdirSync(dataDirectory);
      const settings = `${onData(dataDirectory)}; export PORT=0 OPS_PORT=0 OPS_TOKEN=${TOKEN}`;
      const child = runScript('../../apps/api/src/main.js', [], settings);
      const address = join(dataDirectory, 'address.json');
      await until(async () => existsSync(address));
      const { ops_url: opsUrl }: { readonly ops_url: string } = JSON.parse(readFileSync(address, 'utf8'));
      // The log is not copied while this one reads.
      const reader = connect(join(dataDirectory, 'events.db'), true);
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM sqlite_schema').get();
      for (let made = 0; made < 40; made += 1) expect(await createAt(opsUrl)).toBe(200);
      expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(64 * 1024 * 1024))).toThrow(/ENOSPC/);
      reader.close();
      child.process.kill('SIGTERM');
      expect([await child.ended, child.errors()]).toEqual([
        3,
        expect.stringMatching(/^[^\n]*events\.db has no room to grow: the disk is full[^\n]*\n$/),
      ]);
      rmSync(join(disk, 'filler'));
      const { code, lines } = await endedCli(['store', 'check', '--json'], onData(dataDirectory));
      expect([code, JSON.parse(lines[0] ?? '').faults]).toEqual([0, []]);
    });
  });

  it('after a command: what it did is answered, with the secret that is shown once', async () => {
    const create = (name: string, data: string) =>
      endedCli(['workspace', 'create', '--name', name, '--json'], onData(data));
    await create('First', before);
    await onDisk(40, async (disk) => {
      const data = join(disk, 'data');
      const said: string[] = [];
      // Less and less room, until the log of the event store has room and its file has none.
      for (let freeKb = 600; freeKb > 400 && !END_ON_FULL_DISK.test(said.at(-1) ?? ''); freeKb -= 20) {
        rmSync(data, { recursive: true, force: true });
        cpSync(before, data, { recursive: true });
        const { bsize, bavail } = statfsSync(disk);
        writeFileSync(join(disk, 'filler'), Buffer.alloc(bsize * bavail - freeKb * 1_024));
        const { code, lines, errors } = await create(`With ${freeKb}`, data);
        rmSync(join(disk, 'filler'));
        expect([freeKb, code, lines]).toEqual([freeKb, 0, [expect.stringContaining('"api_key":"wsk_live_')]]);
        said.push(errors);
      }
      expect(said.at(-1)).toMatch(END_ON_FULL_DISK);
    });
  });

  it('OPS-31 for a backup: one line, exit 1, and no file of that name', async () => {
    const data = mkdtempSync(join(tmpdir(), 'signal-ledger-'));
    await endedCli(['workspace', 'create', '--name', 'Full', '--credits', '5'], onData(data));
    await onDisk(1, async (disk) => {
      const refused: number[] = [];
      // The room ends at different steps.
      for (const freeKb of [0, 8, 50, 100, 140, 180, 220]) {
        writeFileSync(join(disk, 'filler'), Buffer.alloc((1_024 - freeKb) * 1_024));
        const file = join(disk, 'log.db');
        const { code, errors } = await endedCli(['store', 'backup', '--to', file], onData(data));
        const line = code === 0 ? /^$/ : /^[^\n]*log\.db[^\n]*(the disk is full|disk I\/O error)[^\n]*\n$/;
        expect([freeKb, code === 0 ? 0 : 1, errors]).toEqual([freeKb, code, expect.stringMatching(line)]);
        expect(readdirSync(disk).toSorted()).toEqual(code === 0 ? ['filler', 'log.db'] : ['filler']);
        if (code === 1) refused.push(freeKb);
        for (const each of readdirSync(disk)) rmSync(join(disk, each));
      }
      expect(refused.length).toBeGreaterThan(2);
      writeFileSync(join(disk, 'filler'), Buffer.alloc(1_000 * 1_024));
      const words = ['--to', join(data, 'log.db'), '--network-to', join(disk, 'network.db')];
      const network = await endedCli(['store', 'backup', ...words], onData(data));
      expect(network).toEqual({
        code: 1,
        lines: [],
        errors: expect.stringMatching(/^[^\n]*network\.db[^\n]* the disk is full[^\n]*\n$/),
      });
    });
    rmSync(data, { recursive: true });
  });
});
