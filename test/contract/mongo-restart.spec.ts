import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { openMongoReadStore } from '#read-store/mongodb/open-mongo-read-store.js';
import { freePort } from '#test/support/listening.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { at, checkpointAt, publish, runs } from './read-store-fixture.js';
import { restartKinds } from './restart-kinds.js';

const LOOK_EVERY_MS = 50;
const generation = { view: runs, generation: 1 };

for (const { title, words, replicaSet } of restartKinds(process.env['TEST_READ_STORE_COMMAND'] || null)) {
  describe(title, () => {
    let server: ChildProcess | undefined;
    afterAll(() => killed(server));
    const folder = temporaryFolder('mongo-restart');

    it('keeps acknowledged writes, and the same store continues without a restart of ours', async () => {
      const port = await freePort();
      server = await started(words, port, folder);
      if (replicaSet !== null) await initiate(port, replicaSet);
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
      // The write during the kill fails, or waits for the server and succeeds; the next ones succeed.
      const writing = (async () => {
        for (let position = 2; position <= 60; position += 1) {
          await write(position);
          acknowledged = position;
          if (position === 10) server?.kill('SIGKILL');
        }
      })().catch((error: unknown) => error);
      await once(server, 'exit');
      server = await started(words, port, folder);
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
    });
  });
}

/** Creates the replica set, once per folder; waits for a server that has just been started. */
async function initiate(port: number, name: string): Promise<void> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  await client.connect();
  const config = { _id: name, members: [{ _id: 0, host: `127.0.0.1:${port}` }] };
  await client.db('admin').command({ replSetInitiate: config });
  await client.close();
}

/** Retries while the store reports that it is unavailable, with a limit. */
async function untilAnswered(call: () => Promise<void>): Promise<void> {
  for (let left = 200; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || left === 0) throw error;
    }
  }
}

/** The server, once it listens. Throws if it ends before. */
async function started(words: readonly string[], port: number, folder: string): Promise<ChildProcess> {
  const [program = '', ...parameters] = words.map((word) =>
    word.replace('{port}', String(port)).replace('{folder}', folder),
  );
  const server = spawn(program, parameters, { stdio: ['pipe', 'ignore', 'ignore'] });
  while (!(await isListening(port))) {
    const { exitCode, signalCode } = server;
    if (exitCode !== null || signalCode !== null)
      throw new Error(`the server ended with ${exitCode ?? signalCode} before it listened`);
    await setTimeout(LOOK_EVERY_MS);
  }
  return server;
}

/** Its folder is removed when the server has ended. */
async function killed(server: ChildProcess | undefined): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
