import { DatabaseSync } from '@photostructure/sqlite';
import { loopTurn } from '#kernel/commands/loop-turn.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { eventsOf } from '../support/event-stores.js';
import { sqliteEventStores, type SqliteEventStores } from '../support/sqlite-event-stores.js';
import { add, commandsOn, fillTo, send, take } from './tally.js';

describe('commands on an event store of the same turn', () => {
  let files: SqliteEventStores;
  beforeEach(async () => {
    files = await sqliteEventStores();
  });
  afterEach(() => files.tearDown());

  it('are decided and committed, for any streams, in the turn in which they came', async () => {
    const turn = loopTurn();
    let transactions = 0;
    const store = await files.open({ turn, onCommitted: () => (transactions += 1) });
    const commands = commandsOn(store, { turn });
    const streams = Array.from({ length: 20 }, (_, index) => `1_${index}`);
    // Now they are in memory.
    await Promise.all(streams.map((stream) => send(commands, stream, add(1))));
    const before = transactions;
    const sums = streams.map((stream) => send(commands, stream, add(2)).then(({ answer }) => answer));
    await new Promise((resolve) => setImmediate(resolve));
    expect(transactions).toBe(before + 1);
    expect(await Promise.all(sums)).toEqual(streams.map(() => 3));
  });

  it('all fail when that commit failed, and later commands are decided on the written state', async () => {
    const turn = loopTurn();
    const store = await files.open({ turn, lockPatienceMs: 1 });
    const commands = commandsOn(store, { turn, retry: { tries: 1, firstDelayMs: 1, longestDelayMs: 1 } });
    const streams = ['1_0', '1_1', '1_2'];
    await Promise.all(streams.map((stream) => send(commands, stream, add(1))));
    await send(commands, '1_3', add(1));

    const other = new DatabaseSync(files.path);
    other.exec('BEGIN IMMEDIATE');
    const failing = streams.flatMap((stream) => [
      send(commands, stream, add(2), `${stream}-twice`),
      send(commands, stream, add(2), `${stream}-twice`),
      send(commands, stream, take(3)),
      send(commands, stream, take(99)),
    ]);
    const refused = send(commands, '1_3', take(99));
    const outcomes = await Promise.allSettled([...failing, refused]);
    other.exec('ROLLBACK');
    other.close();

    const reasons = outcomes.map((outcome): unknown =>
      outcome.status === 'rejected' ? outcome.reason : null,
    );
    const away = reasons.filter((reason) => reason instanceof StoreUnavailable);
    expect(away.map(({ outcome }) => outcome)).toEqual(failing.map(() => 'nothing-written'));
    expect(reasons.at(-1)).toMatchObject({ message: 'There is not enough.' });
    const again = streams.map((stream) => send(commands, stream, fillTo(5), `${stream}-twice`));
    expect((await Promise.all(again)).map(({ answer }) => answer)).toEqual([5, 5, 5]);
    for (const stream of streams) {
      const amounts = (await eventsOf(store, `tally-${stream}`)).map(({ data }) => data['amount']);
      expect(amounts).toEqual([1, 4]);
    }
  });
});
