import { MongoClient } from 'mongodb';
import { lossOf } from './lost-client.js';

/** No process listens on this port: server selection ends after the given time. */
const NOBODY =
  'mongodb://127.0.0.1:1/test?serverSelectionTimeoutMS=50&heartbeatFrequencyMS=500&connectTimeoutMS=500';
const LONGEST_MS = 2 * (500 + 500);

describe('a client that must be replaced', () => {
  let client: MongoClient;
  beforeEach(() => {
    client = new MongoClient(NOBODY);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await client.close();
  });

  it('is a client whose first call found no server: the driver never selects a server again', async () => {
    const isLost = lossOf(client);
    expect(isLost()).toBe(false);
    await expect(client.db().command({ ping: 1 })).rejects.toThrow(/ECONNREFUSED|timed out/);
    await expect(client.db().command({ ping: 1 })).rejects.toThrow('Topology is closed');
    expect(isLost()).toBe(true);
  });

  it('is a client whose heartbeat has waited longer than the time limits allow, and no other', () => {
    const isLost = lossOf(client);
    const asked = performance.now();
    const event = { connectionId: '127.0.0.1:1' } as never;
    client.emit('serverHeartbeatStarted', event);
    const now = jest.spyOn(performance, 'now').mockReturnValue(asked + LONGEST_MS - 1);
    expect(isLost()).toBe(false);
    now.mockReturnValue(asked + LONGEST_MS + 1_000);
    expect(isLost()).toBe(true);
    client.emit('serverHeartbeatFailed', event);
    expect(isLost()).toBe(false);
  });
});
