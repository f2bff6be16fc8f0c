import { symlinkSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { StoreUnavailable, type EventStore } from '#kernel/ports/event-store.port.js';
import { copyStore } from '#runtime/copy-store.js';
import { InvalidSetting, readEventStoreUrl, type EventStoreUrl } from '#runtime/settings.js';
import { proposed } from '#test/servers/eventstoredb/event-log.js';
import {
  startEventStoreDbServer,
  type EventStoreDbServer,
} from '#test/servers/eventstoredb/eventstoredb-server.js';
import { hashOf, historyOf, noted, writeHistory } from './history.js';
import { refusalOf } from '#test/support/event-stores.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const OURS = { metadata: Buffer.from('{"workspaceId":"1"}') };

describe('copyStore', () => {
  const folder = temporaryFolder('copy-store');
  const servers: EventStoreDbServer[] = [];
  let files = 0;
  const newFile = (): EventStoreUrl => {
    files += 1;
    return { kind: 'sqlite', path: join(folder, `events-${files}.db`) };
  };
  const newServer = async (): Promise<EventStoreDbServer> => {
    const server = await startEventStoreDbServer();
    servers.push(server);
    return server;
  };
  const newStore = async (kind: string): Promise<EventStoreUrl> =>
    kind === 'sqlite' ? newFile() : { kind: 'esdb', url: (await newServer()).url };
  const open = (address: EventStoreUrl): Promise<EventStore> =>
    address.kind === 'sqlite' ? openSqliteEventStore(address) : openEventStoreDb(address);
  /** Runs work on a store and closes it. */
  async function within<Result>(
    address: EventStoreUrl,
    work: (store: EventStore) => Promise<Result>,
  ): Promise<Result> {
    const store = await open(address);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }
  afterEach(() => {
    for (const server of servers.splice(0)) server.stop();
  });

  for (const from of ['sqlite', 'esdb']) {
    for (const to of ['sqlite', 'esdb']) {
      it(`copies ${from} to ${to}, and back to the same hash`, async () => {
        const [source, destination, back] = [await newStore(from), await newStore(to), await newStore(from)];
        await within(source, (store) => writeHistory(store));
        const history = await within(source, historyOf);
        const there = await copyStore(source, destination);
        expect(there).toMatchObject({ copied: history.length, sha256: hashOf(history) });
        expect(await within(destination, historyOf)).toEqual(history);
        expect(await copyStore(destination, back)).toMatchObject({
          copied: history.length,
          sha256: there.sha256,
        });
        expect(await within(back, historyOf)).toEqual(history);
      });
    }
  }

  it('copies an empty store', async () => {
    const [source, destination] = [newFile(), newFile()];
    await within(source, async () => undefined);
    expect(await copyStore(source, destination)).toMatchObject({ events: 0, sha256: hashOf([]) });
  });

  describe('from an EventStoreDB', () => {
    let server: EventStoreDbServer;
    let source: EventStoreUrl;
    beforeEach(async () => {
      server = await newServer();
      source = { kind: 'esdb', url: server.url };
      await within(source, (store) => writeHistory(store, 1));
    });

    it('leaves out the records of the server and of other programs, and counts them', async () => {
      server.log.write('$stats-1', 'any', [proposed('$stats', '{}'), proposed('$stats', '{}')]);
      server.log.write('orders-1', 'any', [proposed('OrderPlaced', '{}')]);
      server.log.write('$$orders-1', 'any', [proposed('$metadata', '{"$maxCount":1}')]);
      server.log.commit();
      const destination = newFile();
      const copy = await copyStore(source, destination);
      // The server's own: its epoch at the start, two statistics, the metadata of another program's stream.
      expect(copy).toMatchObject({ events: 7, copied: 7, leftOut: { system: 4, foreign: 1 } });
      const streams = (await within(destination, historyOf)).map(([stream]) => stream);
      expect([...new Set(streams)].toSorted()).toEqual(['credits-1', 'credits-2', 'run-1_0']);
    });

    it('counts a log of more than one page once', async () => {
      const many = Array.from({ length: 700 }, () => proposed('OrderPlaced', '{}'));
      for (const order of ['orders-1', 'orders-2', 'orders-3']) server.log.write(order, 'any', many);
      server.log.commit();
      expect((await copyStore(source, newFile())).leftOut).toEqual({ system: 1, foreign: 2_100 });
    });

    for (const [what, change] of Object.entries({
      'truncated by $tb': () => server.log.write('$$credits-1', 'any', [proposed('$metadata', '{"$tb":2}')]),
      'truncated by $maxCount': () =>
        server.log.write('$$credits-1', 'any', [proposed('$metadata', '{"$maxCount":1}')]),
      'truncated by $maxAge': () =>
        server.log.write('$$credits-1', 'any', [proposed('$metadata', '{"$maxAge":60}')]),
      'permanently deleted': () => server.log.write('credits-1', 'any', [proposed('$streamDeleted', '')]),
    })) {
      it(`refuses a stream of the product that was ${what}, by name, and writes nothing`, async () => {
        change();
        server.log.commit();
        const destination = newFile();
        const refused = await refusalOf(copyStore(source, destination));
        expect(refused.declaration.code).toBe('stream-changed-on-server');
        expect(refused.details.members).toEqual({ stream: 'credits-1', what });
        expect(await within(destination, historyOf)).toEqual([]);
      });
    }

    it('accepts a stream whose limit was removed again, and metadata that cuts nothing', async () => {
      server.log.write('$$credits-1', 'any', [proposed('$metadata', '{"$maxCount":1}')]);
      server.log.write('$$credits-1', 'any', [proposed('$metadata', '{"$acl":{"$r":"ops"}}')]);
      server.log.commit();
      expect(await copyStore(source, newFile())).toMatchObject({ copied: 7 });
    });

    it('keeps an event id that occurs twice in a stream, in both directions', async () => {
      const id = randomUUID();
      const event = proposed('Noted', '{"n":1}', { id, ...OURS });
      server.log.write('twice-1', 'any', [event]);
      server.log.write('twice-1', 'any', [event]);
      server.log.write('twice-1', 'any', [proposed('Noted', '{"n":2}', OURS), event]);
      server.log.commit();
      const history = await within(source, historyOf);
      expect(history.filter(([, , own]) => own === id)).toHaveLength(3);
      const [file, back] = [newFile(), await newStore('esdb')];
      await copyStore(source, file);
      expect(await within(file, historyOf)).toEqual(history);
      await copyStore(file, back);
      expect(await within(back, historyOf)).toEqual(history);
    });

    it('keeps a payload that is no longer JSON as readers see it, so that it is refused by name there too', async () => {
      server.log.write('spoilt-1', 'any', [proposed('Noted', '{"n":', OURS)]);
      server.log.commit();
      const destination = newFile();
      await copyStore(source, destination);
      expect(await within(destination, historyOf)).toEqual(await within(source, historyOf));
    });
  });

  it('refuses, before it writes, events that the destination cannot hold', async () => {
    const [source, destination] = [newFile(), await newStore('esdb')];
    await within(source, (store) => store.append('a-1', 'no-stream', [noted({}, 'not-a-uuid')]));
    const refused = await refusalOf(copyStore(source, destination));
    expect(refused.declaration.code).toBe('event-does-not-fit');
    expect(refused.details.members).toEqual({ reason: expect.stringContaining('not-a-uuid') });
    expect(await within(destination, historyOf)).toEqual([]);
  });

  describe('addresses', () => {
    it('are refused for a missing source file, and it is not created', async () => {
      const missing = newFile();
      await expect(copyStore(missing, newFile())).rejects.toBeInstanceOf(InvalidSetting);
      await expect(copyStore(missing, newFile())).rejects.toThrow('a file that is there');
    });

    it('are refused for a copy of a store to itself, under any name', async () => {
      const file = newFile();
      await within(file, async () => undefined);
      const link = join(folder, 'link.db');
      symlinkSync(file.kind === 'sqlite' ? file.path : '', link);
      await expect(copyStore(file, { kind: 'sqlite', path: link })).rejects.toThrow(
        'another store than --from',
      );
      const server = await newStore('esdb');
      await expect(copyStore(server, server)).rejects.toThrow('another store than --from');
    });

    it('report a missing server', async () => {
      const file = newFile();
      await within(file, async () => undefined);
      const server = await newServer();
      server.stop();
      const copying = copyStore(file, { kind: 'esdb', url: server.url });
      await expect(copying).rejects.toBeInstanceOf(StoreUnavailable);
    });

    it('are read as in the settings, without showing a password', () => {
      expect(readEventStoreUrl('--to', 'esdb://user:secret@host:2113')).toEqual({
        kind: 'esdb',
        url: 'esdb://user:secret@host:2113',
      });
      expect(readEventStoreUrl('--to', 'sqlite:/a/b.db')).toEqual({ kind: 'sqlite', path: '/a/b.db' });
      for (const wrong of ['postgres://user:secret@host/db', 'sqlite:', 'esdb://']) {
        expect(() => readEventStoreUrl('--to', wrong)).toThrow(/^--to takes sqlite:<file>, esdb:/);
      }
      expect(() => readEventStoreUrl('--to', 'postgres://user:secret@host/db')).not.toThrow(/secret/);
    });
  });
});
