import { loopTurn } from '#kernel/commands/loop-turn.js';
import { sqliteEventStores, type SqliteEventStores } from '../support/sqlite-event-stores.js';
import { add, commandsOn, send } from './tally.js';

describe('commands on an event store of the same turn', () => {
  let files: SqliteEventStores;
  beforeEach(async () => {
    files = await sqliteEventStores();
  });
  afterEach(() => files.tearDown());

  it('are decided and committed, whatever their streams, in the turn in which they came', async () => {
    const turn = loopTurn();
    const store = await files.open({ turn });
    const commands = commandsOn(store, { turn });
    const streams = Array.from({ length: 20 }, (_, index) => `1_${index}`);
    // Now they are in memory.
    await Promise.all(streams.map((stream) => send(commands, stream, add(1))));
    const before = store.stats().transactions;
    const sums = streams.map((stream) => send(commands, stream, add(2)).then(({ answer }) => answer));
    await new Promise((resolve) => setImmediate(resolve));
    expect(store.stats().transactions).toBe(before + 1);
    expect(await Promise.all(sums)).toEqual(streams.map(() => 3));
  });
});
