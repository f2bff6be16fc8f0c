import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { expect } from 'expect';
import { StoreUnavailable } from '#kernel/event-store.port.js';
import { openMongoReadStore } from '#read-store/mongodb/open-mongo-read-store.js';
import { at, checkpointAt, publish, runs } from './read-store-fixture.js';

/** How to start a server of our own that keeps its data in a folder: words with {port} and {folder}. */
const command = process.env['TEST_READ_STORE_COMMAND'] || null;
const generation = { view: runs, generation: 1 };

if (command !== null && command.includes('{folder}')) {
  describe('MongoDB as read store, over a kill -9 of the server', () => {
    it('holds what was acknowledged, and the same store goes on without a restart of ours', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mongo-restart-'));
      const port = await freePort();
      let server = start(command, port, folder);
      const store = await openMongoReadStore({
        url: `mongodb://127.0.0.1:${port}/views?serverSelectionTimeoutMS=20000`,
        callPatienceMs: 20_000,
      });
      const fence = await publish(store, generation, []);
      let acknowledged = 1;
      const writing = (async () => {
        for (let position = 2; ; position += 1) {
          const document = { id: position, workspaceId: 7, state: 'kept', startedAt: '2025' };
          const documents = [{ key: `run-${position}`, position: at(position), document }];
          await store.write([{ generation, documents, checkpoint: checkpointAt(position) }], fence);
          acknowledged = position;
          if (position === 10) server.kill('SIGKILL');
        }
      })().catch((error: unknown) => error);
      await once(server, 'exit');
      server = start(command, port, folder);
      // Until the driver has seen that the server is back, writes may go on failing or simply work again.
      const stop = await Promise.race([writing, reached(store, 40)]);
      if (stop !== 'reached') expect(stop).toBeInstanceOf(StoreUnavailable);
      const kept = await store.count(runs, {});
      const checkpoint = await store.checkpoint(generation);
      expect(acknowledged).toBeGreaterThanOrEqual(10);
      expect(kept).toBeGreaterThanOrEqual(acknowledged - 1);
      expect(checkpoint !== null && checkpoint.position >= at(acknowledged)).toBe(true);
      await store.close();
      await writing;
      server.kill('SIGKILL');
      await once(server, 'exit');
      await rm(folder, { recursive: true });
    });
  });
}

async function reached(
  store: Awaited<ReturnType<typeof openMongoReadStore>>,
  position: number,
): Promise<'reached'> {
  for (;;) {
    const checkpoint = await store.checkpoint(generation).catch(() => null);
    if (checkpoint !== null && checkpoint.position >= at(position)) return 'reached';
  }
}

function start(words: string, port: number, folder: string): ChildProcess {
  const [program = '', ...parameters] = (JSON.parse(words) as readonly string[]).map((word) =>
    word.replace('{port}', String(port)).replace('{folder}', folder),
  );
  return spawn(program, parameters, { stdio: ['pipe', 'ignore', 'ignore'] });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
