import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { agent } from '#signals/domain/agents/agent.js';
import { launch } from '#signals/domain/launches/launches.js';
import { LIVE_DETECTION } from '#signals/live/launch-live-pass.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import type { ServiceHost } from '#runtime/service-host.js';
import { InvalidSetting, readSettings, type Settings } from '#runtime/settings.js';
import { startService as startWorker } from '#runtime/start-service.js';
import { startService } from '#apps/api/src/service.js';
import { openStores } from '#runtime/stores.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { houseRoot } from '#test/house/house.js';
import { startServiceProcess } from '#test/support/service-process.js';
import { startTestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { sampleLaunch } from '#projections/testing/sample-events.js';

const folders = temporaryFolder('start-and-stop');
const newFolder = (): string => mkdtempSync(join(folders, 'data-'));

const settingsFor = (dataDirectory: string, port: string) =>
  readSettings({
    NODE_ENV: 'test',
    DATA_DIR: dataDirectory,
    PORT: port,
    LOG_LEVEL: 'silent',
  });

describe('address.json', () => {
  it('stays that of the running service when a second one fails to start', async () => {
    await using running = await startTestService();
    const file = join(running.dataDirectory, 'address.json');
    const before = readFileSync(file, 'utf8');
    expect(JSON.parse(before)).toMatchObject({ url: running.url, pid: process.pid });
    const taken = new URL(running.url).port;
    await expect(startService(settingsFor(running.dataDirectory, taken))).rejects.toThrow(/EADDRINUSE/);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('is not written by a worker, which has no listener, and is removed with the service that wrote it', async () => {
    const dataDirectory = newFolder();
    const file = join(dataDirectory, 'address.json');
    const api = await startService(settingsFor(dataDirectory, '0'));
    const before = readFileSync(file, 'utf8');
    const worker = await startWorker({ ...settingsFor(dataDirectory, '0'), roles: ['worker'] });
    expect(readFileSync(file, 'utf8')).toBe(before);
    await worker.stop();
    expect(readFileSync(file, 'utf8')).toBe(before);
    await api.stop();
    expect(existsSync(file)).toBe(false);
  });

  it('is replaced if it cannot be read, and is written as soon as it can be written', async () => {
    const dataDirectory = newFolder();
    const file = join(dataDirectory, 'address.json');
    symlinkSync(file, file);
    const service = await startService(settingsFor(dataDirectory, '0'));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url: service.url });
    await service.stop();
    mkdirSync(file);
    const late = await startService(settingsFor(dataDirectory, '0'));
    expect((await fetch(`${late.url}/health/live`)).status).toBe(200);
    // An attempt that fails is not the last one.
    await new Promise<void>((resolve) => {
      const watcher = watch(dataDirectory, (_event, name) => {
        if (name?.startsWith('address.json.') !== true) return;
        watcher.close();
        resolve();
      });
    });
    rmdirSync(file);
    await eventually(async () => existsSync(file));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url: late.url });
    await late.stop();
  });

  it('does not keep a service from stopping in order if it cannot be read or removed', async () => {
    const dataDirectory = newFolder();
    const file = join(dataDirectory, 'address.json');
    const service = await startService(settingsFor(dataDirectory, '0'));
    rmSync(file);
    mkdirSync(file);
    await service.stop();
    await expect(fetch(`${service.url}/health/live`)).rejects.toThrow();
  });
});

describe('a network store of an earlier version', () => {
  it('is updated at the start, with lines in the log before the service listens', async () => {
    const dataDirectory = newFolder();
    const earlier = join(houseRoot, 'test/contract/network-store/version-2/network.db');
    copyFileSync(earlier, join(dataDirectory, 'network.db'));
    const service = await startServiceProcess(dataDirectory);
    const messages = service.log.map((line) => String(JSON.parse(line).msg));
    await service.stop();
    const places = [
      'observations are migrated from version 2 to',
      'texts are indexed by week (100 %)',
      'was migrated',
      'listening',
    ].map((text) => messages.findIndex((line) => line.includes(text)));
    expect(places).toEqual([...places].toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });
});

describe('two services on one data directory', () => {
  it('OPS-36 leave the address of the first when the second starts and stops while the first runs', async () => {
    const dataDirectory = newFolder();
    const file = join(dataDirectory, 'address.json');
    const first = await startService(settingsFor(dataDirectory, '0'));
    const before = readFileSync(file, 'utf8');
    const second = await startService(settingsFor(dataDirectory, '0'));
    expect(readFileSync(file, 'utf8')).toBe(before);
    await second.stop();
    expect(readFileSync(file, 'utf8')).toBe(before);
    await first.stop();
    expect(existsSync(file)).toBe(false);
  });

  it('OPS-36 leave the address of the second once the first has stopped, and no address without a service', async () => {
    const dataDirectory = newFolder();
    const file = join(dataDirectory, 'address.json');
    const first = await startService(settingsFor(dataDirectory, '0'));
    const second = await startService(settingsFor(dataDirectory, '0'));
    await first.stop();
    await eventually(async () => existsSync(file));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url: second.url });
    await second.stop();
    expect(existsSync(file)).toBe(false);
  });

  it('OPS-36 replace the address of a service that was killed at once', async () => {
    const dataDirectory = newFolder();
    const file = join(dataDirectory, 'address.json');
    writeFileSync(file, '{"url":"http://127.0.0.1:1","ops_url":null,"pid":1}\n');
    const service = await startService(settingsFor(dataDirectory, '0'));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url: service.url });
    await service.stop();
  });
});

describe('OPS-34 a store that starts later than the service', () => {
  it('is waited for, and no attempt leaves anything open', async () => {
    const dataDirectory = newFolder();
    let tries = 0;
    const late: typeof openStores = async (...asked) => {
      tries += 1;
      if (tries < 3) throw new StoreUnavailable('READ_STORE_URL: nobody answers');
      return openStores(...asked);
    };
    const settings = { ...settingsFor(dataDirectory, '0'), storeStartPatienceMs: 60_000 };
    const service = await startService(settings, { openStores: late });
    expect([tries, (await fetch(`${service.url}/health/ready`)).status]).toEqual([3, 200]);
    await service.stop();
    const impatient = startService(settingsFor(dataDirectory, '0'), {
      openStores: () => Promise.reject(new StoreUnavailable('READ_STORE_URL: nobody answers')),
    });
    await expect(impatient).rejects.toThrow('nobody answers');
  });
});

describe('a data directory that does not exist yet', () => {
  it('is created, also when every store is elsewhere and the secret is given', async () => {
    const folder = newFolder();
    const dataDirectory = join(folder, 'new');
    const elsewhere = ['EVENT_STORE_URL', 'READ_STORE_URL', 'NETWORK_STORE_URL'].map((variable) => [
      variable,
      `sqlite:${join(folder, 'elsewhere', `${variable}.db`)}`,
    ]);
    const environment = {
      DATA_DIR: dataDirectory,
      CURSOR_SECRET: 'known to all of them',
      PORT: '0',
      LOG_LEVEL: 'silent',
    };
    const service = await startService(readSettings({ ...environment, ...Object.fromEntries(elsewhere) }));
    expect(JSON.parse(readFileSync(join(dataDirectory, 'address.json'), 'utf8'))).toMatchObject({
      url: service.url,
    });
    await service.stop();
  });
});

describe('an unusable resource at the start', () => {
  const reasonOf = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    const dataDirectory = newFolder();
    try {
      const settings = { NODE_ENV: 'test', DATA_DIR: dataDirectory, PORT: '0', LOG_LEVEL: 'silent' };
      const service = await startService(readSettings({ ...settings, ...environment }));
      await service.stop();
      return 'started';
    } catch (error) {
      return error instanceof InvalidSetting ? error.message : `not a setting: ${String(error)}`;
    }
  };

  it('is reported in one line that names the setting: a port that is taken, an address of another machine', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    try {
      expect(await reasonOf({ PORT: port })).toMatch(
        /^PORT takes a port that is free[^\n]+EADDRINUSE[^\n]+$/,
      );
      expect(await reasonOf({ OPS_PORT: port, OPS_TOKEN: 'a token for tests' })).toMatch(
        /^OPS_PORT takes a port that is free[^\n]+$/,
      );
      expect(await reasonOf({ HOST: '192.0.2.1' })).toMatch(/^HOST takes an address of this machine[^\n]+$/);
      const operators = { OPS_PORT: '0', OPS_TOKEN: 'a token for tests', OPS_HOST: '192.0.2.1' };
      expect(await reasonOf(operators)).toMatch(/^OPS_HOST takes an address of this machine[^\n]+$/);
    } finally {
      taken.close();
    }
  });

  it('is reported as the cause, although the stop after it fails, too', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const failing: typeof openStores = async (...asked) => {
      const stores = await openStores(...asked);
      const close = async (): Promise<void> => {
        await stores.close();
        throw new StoreUnavailable('events.db has no room to grow');
      };
      return { ...stores, close };
    };
    const started = startService(settingsFor(newFolder(), port), { openStores: failing });
    await expect(started).rejects.toThrow(/EADDRINUSE/);
    taken.close();
  });

  it('is reported in one line that names the setting: folders that cannot be made', async () => {
    const file = fileURLToPath(import.meta.url);
    expect(await reasonOf({ DATA_DIR: file })).toMatch(/^DATA_DIR takes a folder [^\n]+$/);
    for (const variable of ['EVENT_STORE_URL', 'READ_STORE_URL', 'NETWORK_STORE_URL'])
      expect(await reasonOf({ [variable]: `sqlite:${join(file, 'x.db')}` })).toMatch(
        new RegExp(`^${variable} takes a folder [^\\n]+$`),
      );
  });
});

describe('stop', () => {
  it('does not wait for work for which an operator waits', async () => {
    const dataDirectory = newFolder();
    let listener: { readonly close: () => Promise<void> } = { close: async () => undefined };
    // A request for `work.drain` is under way and keeps its listener open until it is answered.
    const service = await startWorker(settingsFor(dataDirectory, '0'), async () => ({
      url: 'http://127.0.0.1:1',
      close: () => listener.close(),
    }));
    const { host } = service;
    await launchUndetectable(host);
    const drained = host.runner.drain().catch((error: unknown) => error);
    listener = { close: async () => void (await drained) };
    await service.stop();
    // It is not told that nothing is due any more.
    expect(await drained).toBeInstanceOf(StoreUnavailable);

    const again = await openSqliteEventStore({ path: join(dataDirectory, 'events.db') });
    const types: string[] = [];
    for await (const batch of again.readAll()) types.push(...batch.events.map(({ type }) => type));
    await again.close();
    expect(types).toContain('RunLaunched');
    expect(types).not.toContain('RunEnded');
  });

  it('ends every part also after one that fails, and reports the first error', async () => {
    let isAway = false;
    let closed = 0;
    const settings: Settings = { ...settingsFor(newFolder(), '0'), monitoringPass: 'live' };
    const service = await startWorker(settings, undefined, {
      openStores: async (all, options) => {
        const stores = await openStores(all, options);
        const releaseLease: ReadStore['releaseLease'] = async (name, fence) => {
          if (isAway && name === LIVE_DETECTION) throw new StoreUnavailable('the store is away');
          await stores.reads.releaseLease(name, fence);
        };
        const close = async (): Promise<void> => {
          closed += 1;
          await stores.close();
        };
        return { ...stores, reads: { ...stores.reads, releaseLease }, close };
      },
    });
    const { projections, stores } = service.host;
    await eventually(async () => (await stores.reads.lease(LIVE_DETECTION)) !== null);
    isAway = true;
    await expect(service.stop()).rejects.toThrow('the store is away');
    expect([projections.isLeading(), closed]).toEqual([false, 1]);
  });

  it('does not wait for a rebuild for which an operator waits, and reports that', async () => {
    const dataDirectory = newFolder();
    let listener: { readonly close: () => Promise<void> } = { close: async () => undefined };
    const service = await startWorker(settingsFor(dataDirectory, '0'), async () => ({
      url: 'http://127.0.0.1:1',
      close: () => listener.close(),
    }));
    const messages = service.host.projections.rebuild(creditMovements.name).catch((error: unknown) => error);
    listener = { close: async () => void (await messages) };
    await service.stop();
    expect(await messages).toBeInstanceOf(StoreUnavailable);
  });
});

/** A launch whose detector no version has: its run is retried until it is given up. */
async function launchUndetectable({ commands, ids, clock }: ServiceHost): Promise<void> {
  const agentId = await ids.next('agent');
  const context: CommandContext = {
    commandId: 'launch of nothing',
    actor: { kind: 'system', id: 'test' },
    workspaceId: 1,
    correlationId: 'test',
  };
  await commands.handle(
    agent,
    workspaceScoped(1, agentId),
    launch(
      sampleLaunch({
        launchId: await ids.next('launch'),
        source: { kind: 'agent', id: agentId },
        runs: [{ runId: await ids.next('run'), direction: 'single' }],
        now: clock.now().toISOString(),
        unitPrice: '0',
        detectorKind: 'not_there',
        parameters: {},
      }),
    ),
    { context },
  );
}
