import { randomUUID } from 'node:crypto';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import type { EventStore, NewEvent, StoredEvent } from '#kernel/ports/event-store.port.js';
import { openEventLog, proposed, type LoggedEvent } from '#test/servers/eventstoredb/event-log.js';
import { startEventStoreDbServer } from '#test/servers/eventstoredb/eventstoredb-server.js';
import { EventLog, memoryEventStore } from '#test/simulation/memory-event-store.js';

/** The log of a vault's events. */
export type VaultLog = {
  readonly events: () => EventStore;
  readonly history: () => readonly StoredEvent[];
  readonly append: (stream: string, event: Omit<NewEvent, 'id'>) => void;
  readonly backup: () => Backup;
  readonly close: () => Promise<void>;
};

/** Opens a log with the content of another one at the time of the backup, each event at its position. */
export type Backup = () => Promise<VaultLog>;

/** A log in memory. */
export async function openMemoryLog(kept: readonly StoredEvent[] = []): Promise<VaultLog> {
  const log = new EventLog();
  const clients: EventStore[] = [];
  for (const { stream, revision, ...event } of kept) {
    log.append(stream, revision === 0n ? 'no-stream' : revision - 1n, [event]);
  }
  return {
    events: () => {
      const client = memoryEventStore(log);
      clients.push(client);
      return client;
    },
    history: () => log.all,
    append: (stream, event) => {
      const { length } = log.stream(stream);
      log.append(stream, length === 0 ? 'no-stream' : BigInt(length - 1), [{ ...event, id: randomUUID() }]);
    },
    backup: () => {
      const all = [...log.all];
      return () => openMemoryLog(all);
    },
    close: async () => {
      for (const client of clients) await client.close();
    },
  };
}

/** An EventStoreDB: positions with gaps, records of its own between the events, a client that resumes. */
export async function openServerLog(kept: readonly LoggedEvent[] = []): Promise<VaultLog> {
  const log = openEventLog(null);
  for (const event of kept) log.write(event.stream, 'any', [event]);
  log.commit();
  const server = await startEventStoreDbServer({ log });
  const client = await openEventStoreDb({ url: server.url });
  return {
    events: () => client,
    history: () => log.all.filter(({ stream }) => !stream.startsWith('$')).map(storedAs),
    append: (stream, { type, data, metadata }) => {
      log.write(stream, 'any', [
        proposed(type, JSON.stringify(data), { metadata: Buffer.from(JSON.stringify(metadata)) }),
      ]);
      log.commit();
    },
    backup: () => {
      const all = [...log.all];
      return () => openServerLog(all);
    },
    close: async () => {
      await client.close();
      server.stop();
    },
  };
}

function storedAs({ id, type, stream, revision, position, data, metadata }: LoggedEvent): StoredEvent {
  return {
    id,
    type,
    stream,
    revision,
    position: String(position),
    data: JSON.parse(Buffer.from(data).toString()),
    metadata: JSON.parse(Buffer.from(metadata).toString()),
  };
}
