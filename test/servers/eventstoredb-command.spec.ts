import { fileURLToPath } from 'node:url';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import { startTestService } from '#test/support/service.js';
import { startedEventStore } from '#test/support/started-event-store.js';

// The double's program replaces a real node: it has a port and a folder too.
const program = fileURLToPath(import.meta.resolve('#test/support/eventstoredb-server-process.js'));
const COMMAND = JSON.stringify([process.execPath, program, '{folder}', '{port}']);

describe('tests of the service on a node that a command starts', () => {
  const { TEST_SERVICE_EVENT_STORE: wanted, TEST_EVENT_STORE_COMMAND: command } = process.env;
  afterEach(() => {
    for (const [name, value] of Object.entries({
      TEST_SERVICE_EVENT_STORE: wanted,
      TEST_EVENT_STORE_COMMAND: command,
    })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  it('have their events on a separate node, which ends with the tests', async () => {
    Object.assign(process.env, { TEST_SERVICE_EVENT_STORE: 'command', TEST_EVENT_STORE_COMMAND: COMMAND });
    const service = await startTestService();
    const { eventStore } = service.settings;
    if (eventStore.kind !== 'esdb') throw new Error('the service is on a file');
    expect(await service.workspace()).toMatchObject({ id: 1 });
    const { url } = eventStore;
    const store = await openEventStoreDb({ url });
    expect(await store.head()).not.toBe('');
    await store.close();
    await service.stop();
    await expect(openEventStoreDb({ url, patienceMs: 1 }).then((late) => late.head())).rejects.toThrow();
  });

  it('require the command when none is named', async () => {
    process.env['TEST_SERVICE_EVENT_STORE'] = 'command';
    delete process.env['TEST_EVENT_STORE_COMMAND'];
    await expect(startTestService()).rejects.toThrow('TEST_EVENT_STORE_COMMAND');
  });

  it('report the failure of a command that starts no node', async () => {
    const ends = JSON.stringify([process.execPath, '-e', 'process.exit(3)']);
    await expect(startedEventStore(ends)).rejects.toThrow('it ended with 3');
  });
});
