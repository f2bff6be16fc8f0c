import type { Commands } from '#kernel/commands/commands.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { eventsOf } from '../support/event-stores.js';
import { sqliteEventStores, type SqliteEventStores } from '../support/sqlite-event-stores.js';
import { add, commandsOn, contextOf, notEnough, NOON, send, tally, whole } from './tally.js';

let files: SqliteEventStores;
let store: EventStore;
let streams = 0;
const newTally = (): string => `1_r${(streams += 1)}`;
beforeAll(async () => {
  files = await sqliteEventStores();
  store = await files.open();
});
afterAll(() => files.tearDown());

/** Adds what is asked outside of the decision: only while the tally is empty, as the read of it says. */
function addToEmpty(commands: Commands, id: string, commandId: string, isRepeated: boolean) {
  let checks = 0;
  const prepare = async () => {
    checks += 1;
    if ((await commands.load(tally, id, ({ sum }) => sum)) > 0) throw notEnough();
    return add(5);
  };
  const context = {
    ...contextOf(commandId),
    ...(isRepeated ? { mayBeDoneSince: NOON.now().toISOString() } : {}),
  };
  const handled = commands.handle(tally, id, { prepare }, { context, answer: ({ sum }) => sum });
  return handled.then(({ answer, appended }) => ({ answer, appended, checks }));
}

describe('a repeated command', () => {
  it('is answered with what its first attempt did, and never refused for it', async () => {
    const id = newTally();
    expect(await addToEmpty(commandsOn(store), id, 'once', false)).toEqual({
      answer: 5,
      appended: 1,
      checks: 1,
    });
    await send(commandsOn(store), id, add(2));
    // In this process and in one that remembers nothing; its checks would refuse it now.
    for (const commands of [commandsOn(store), commandsOn(store)]) {
      for (let time = 0; time < 2; time += 1)
        expect(await addToEmpty(commands, id, 'once', true)).toEqual({ answer: 7, appended: 1, checks: 0 });
    }
    expect(await eventsOf(store, `tally-${id}`)).toHaveLength(2);
  });

  it('is checked and decided where no attempt has carried it out', async () => {
    const id = newTally();
    expect(await addToEmpty(commandsOn(store), id, 'first', true)).toEqual({
      answer: 5,
      appended: 1,
      checks: 1,
    });
    await expect(addToEmpty(commandsOn(store), id, 'second', true)).rejects.toThrow(Refusal);
    await expect(addToEmpty(commandsOn(store), id, 'third', false)).rejects.toThrow(Refusal);
    expect(await eventsOf(store, `tally-${id}`)).toHaveLength(1);
  });

  it('is not answered from a state that it has not led to', async () => {
    const commands = commandsOn(store);
    const id = newTally();
    const handled = await commands.handle(
      tally,
      id,
      { prepare: async () => add(1) },
      {
        context: { ...contextOf(), mayBeDoneSince: NOON.now().toISOString() },
        answer: (state, events) => {
          if (events.length === 0) throw new Error('there is nothing to answer from');
          return whole(state);
        },
      },
    );
    expect(handled).toMatchObject({ answer: { sum: 1, amounts: [1] }, appended: 1 });
  });
});
