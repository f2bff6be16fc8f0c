import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { openMongoReadStore } from '#read-store/mongodb/open-mongo-read-store.js';
import { at, checkpointAt, publish, runs } from './read-store-fixture.js';

/** How to start a server of our own that keeps its data in a folder: words with {port} and {folder}. */
const command = process.env['TEST_READ_STORE_COMMAND'] || null;
const generation = { view: runs, generation: 1 };

const NAME = 'restarted';
/** Only MongoDB itself can be either; any other server is what its command says. */
const isMongod = command !== null && /\bmongod\b/.test(command) && !command.includes('--replSet');
const KINDS = [
  { title: 'MongoDB as read store, over a kill -9 of the server', words: [], isReplicaSet: false },
  ...(isMongod
    ? [
        {
          title: 'MongoDB as read store, over a kill -9 of a replica set of one node',
          words: ['--replSet', NAME],
          isReplicaSet: true,
        },
      ]
    : []),
];

for (const { title, words, isReplicaSet } of KINDS) {
  if (command === null || !command.includes('{folder}')) continue;
  describe(title, () => {
    it('holds what was acknowledged, and the same store goes on without a restart of ours', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mongo-restart-'));
      const port = await freePort();
      let server = start(command, port, folder, words);
      if (isReplicaSet) await initiate(port);
      const store = await openMongoReadStore({
        url: `mongodb://127.0.0.1:${port}/views?serverSelectionTimeoutMS=20000`,
        callPatienceMs: 20_000,
      });
      const fence = await publish(store, generation, []);
      const write = (position: number): Promise<void> => {
        const document = { id: position, workspaceId: 7, state: 'kept', startedAt: '2025' };
        const documents = [{ key: `run-${position}`, position: at(position), document }];
        return store.write([{ generation, documents, checkpoint: checkpointAt(position) }], fence);
      };
      let acknowledged = 1;
      // The write that meets the kill fails, or waits for the server and is done; the next ones are.
      const writing = (async () => {
        for (let position = 2; position <= 60; position += 1) {
          await write(position);
          acknowledged = position;
          if (position === 10) server.kill('SIGKILL');
        }
      })().catch((error: unknown) => error);
      await once(server, 'exit');
      server = start(command, port, folder, words);
      const stopped = await writing;
      if (stopped !== undefined) expect(stopped).toBeInstanceOf(StoreUnavailable);
      expect(acknowledged).toBeGreaterThanOrEqual(10);
      await untilAnswered(() => write(100));
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(100));
      const kept = await store.load(
        generation,
        Array.from({ length: acknowledged - 1 }, (_, index) => `run-${index + 2}`),
      );
      expect(kept.size).toBe(acknowledged - 1);
      await store.close();
      server.kill('SIGKILL');
      await once(server, 'exit');
      await rm(folder, { recursive: true });
    });
  });
}

/** Makes the replica set, once for its folder; a server that has just been started is waited for. */
async function initiate(port: number): Promise<void> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  await client.connect();
  const config = { _id: NAME, members: [{ _id: 0, host: `127.0.0.1:${port}` }] };
  await client.db('admin').command({ replSetInitiate: config });
  await client.close();
}

/** Tries again while the store says that it is unavailable, at most so often. */
async function untilAnswered(call: () => Promise<void>): Promise<void> {
  for (let left = 200; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || left === 0) throw error;
    }
  }
}

function start(command: string, port: number, folder: string, more: readonly string[]): ChildProcess {
  const [program = '', ...parameters] = [...(JSON.parse(command) as readonly string[]), ...more].map((word) =>
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
