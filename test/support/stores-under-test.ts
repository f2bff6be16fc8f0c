import { createHash } from 'node:crypto';

// The clients of servers are imported only when a run names one: without them a test process starts a third of a
// second earlier.

/**
 * Settings that put a test service on the servers of this run: read store and observed network on
 * TEST_READ_STORE_URL, its events on a separate fault server if TEST_SERVICE_EVENT_STORE is `fault-server`, and on a
 * separate node if that is `command`: TEST_EVENT_STORE_COMMAND, a JSON array of words with {port} and {folder},
 * starts it. Database and log are those of its data directory, so that a service that is started again finds them,
 * and so does another process. Empty when no server is named: then the stores are files in the data directory.
 */
export async function storesUnderTest(
  dataDirectory: string,
): Promise<{ readonly [variable: string]: string }> {
  const url = databaseUrl(dataDirectory);
  const events = await eventStoreOf(dataDirectory);
  return {
    ...(url === null ? {} : { READ_STORE_URL: url, NETWORK_STORE_URL: url }),
    ...(events === null ? {} : { EVENT_STORE_URL: events.url, CURSOR_SECRET: digest(dataDirectory) }),
  };
}

/** Removes the service's data on servers. */
export async function removeStores(dataDirectory: string): Promise<void> {
  const events = eventStores.get(dataDirectory);
  eventStores.delete(dataDirectory);
  (await events)?.stop();
  const url = databaseUrl(dataDirectory);
  if (url === null) return;
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(url);
  await client.db().dropDatabase();
  await client.close();
}

/** A node with the stores of one data directory. */
type EventStoreNode = { readonly url: string; readonly stop: () => void };

const eventStores = new Map<string, Promise<EventStoreNode>>();

async function eventStoreOf(dataDirectory: string): Promise<EventStoreNode | null> {
  const wanted = process.env['TEST_SERVICE_EVENT_STORE'] || 'sqlite';
  if (wanted === 'sqlite') return null;
  if (wanted !== 'fault-server' && wanted !== 'command')
    throw new Error(`TEST_SERVICE_EVENT_STORE takes sqlite, fault-server or command`);
  const known = eventStores.get(dataDirectory) ?? startedNode(wanted);
  eventStores.set(dataDirectory, known);
  return known;
}

async function startedNode(wanted: 'fault-server' | 'command'): Promise<EventStoreNode> {
  if (wanted === 'command') {
    const command = eventStoreCommand();
    const { startedEventStore } = await import('./started-event-store.js');
    return startedEventStore(command);
  }
  const { startEventStoreDbServer } = await import('#test/servers/eventstoredb/eventstoredb-server.js');
  return startEventStoreDbServer();
}

function eventStoreCommand(): string {
  const command = process.env['TEST_EVENT_STORE_COMMAND'];
  if (!command) throw new Error('TEST_SERVICE_EVENT_STORE is command: name it in TEST_EVENT_STORE_COMMAND');
  return command;
}

function databaseUrl(dataDirectory: string): string | null {
  const server = process.env['TEST_READ_STORE_URL'];
  if (!server) return null;
  const url = new URL(server);
  url.pathname = `/service_${digest(dataDirectory).slice(0, 20)}`;
  return url.href;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
