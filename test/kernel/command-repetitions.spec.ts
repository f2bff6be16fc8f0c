import type { Commands, CommandsSettings } from '#kernel/commands/commands.js';
import { decider } from '#kernel/commands/decider.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { SnapshotStore } from '#kernel/ports/snapshot-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { Refusal } from '#kernel/values/refusal.js';
import { eventsOf } from '../support/event-stores.js';
import { sharedSqliteEventStore } from '../support/sqlite-event-stores.js';
import {
  add,
  commandsOn,
  contextOf,
  fillTo,
  notEnough,
  NOON,
  send,
  take,
  tally,
  whole,
  type Tally,
  type TallyDecision,
} from './tally.js';

const store = sharedSqliteEventStore();
let streams = 0;
const newTally = (): string => `1_r${(streams += 1)}`;

/** Adds an amount under a condition outside of the decision: the tally, as read, must be empty. */
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
  it('is answered with the result of its first attempt, and never refused because of it', async () => {
    const id = newTally();
    expect(await addToEmpty(commandsOn(store), id, 'once', false)).toEqual({
      answer: 5,
      appended: 1,
      checks: 1,
    });
    await send(commandsOn(store), id, add(2));
    // In this process and in one without memory; its checks would refuse it now.
    for (const commands of [commandsOn(store), commandsOn(store)]) {
      for (let time = 0; time < 2; time += 1)
        expect(await addToEmpty(commands, id, 'once', true)).toEqual({ answer: 7, appended: 1, checks: 0 });
    }
    expect(await eventsOf(store, `tally-${id}`)).toHaveLength(2);
  });

  it('is checked and decided when no attempt has carried it out', async () => {
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

  it('is looked for by a first attempt only behind its claim, where an overlapping attempt may have carried it out', async () => {
    const id = newTally();
    const earlier = commandsOn(store);
    for (let amount = 1; amount <= 100; amount += 1) await send(earlier, id, add(amount));
    const claimed = await store.head();
    let read = 0;
    const readStream: EventStore['readStream'] = async function* (stream, asked) {
      for await (const batch of store.readStream(stream, asked)) {
        if (asked?.direction === 'backwards') read += batch.length;
        yield batch;
      }
    };
    const counting = new Proxy(store, {
      get: (events, name) => (name === 'readStream' ? readStream : Reflect.get(events, name)),
    });
    const addOnce = (commandId: string) =>
      commandsOn(counting)
        .handle(tally, id, add(7), {
          context: { ...contextOf(commandId), mayBeDoneAfter: claimed },
          answer: ({ sum }) => sum,
        })
        .then(({ answer, appended }) => ({ answer, appended }));
    expect(await addOnce('once')).toEqual({ answer: 5_057, appended: 1 });
    expect(read).toBe(0);
    // Another attempt finds it, behind whatever others have written since.
    for (let amount = 1; amount <= 50; amount += 1) await send(earlier, id, add(1));
    expect(await addOnce('once')).toEqual({ answer: 5_107, appended: 1 });
    expect(read).toBeLessThan(152);
    expect(await eventsOf(store, `tally-${id}`)).toHaveLength(151);
  });

  it('is not answered from a state without its effect', async () => {
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

/** A tally of which every `Taken` is a stop. */
const stopping = decider<Tally>()({
  ...tally,
  stops: (_state, events) => events.some(({ type }) => type === 'Taken'),
  snapshot: {
    every: 2,
    stateVersion: 1,
    toJson: ({ sum, amounts }) => ({ sum, amounts: [...amounts] }),
    fromJson: ({ sum }) => ({ sum: Number(sum), amounts: [] }),
  },
});
const takeAll: TallyDecision = ({ sum }) => (sum === 0 ? [] : [{ type: 'Taken', data: { amount: sum } }]);

describe('a stop', () => {
  /** A process, with its notices of stops; it is killed at the first `killed` notices. */
  function process(killed = 0, settings: Partial<CommandsSettings> = {}) {
    const notices: ('made' | 'found')[] = [];
    const commands = commandsOn(store, {
      async onStop({ foundAt }) {
        if (killed > 0) {
          killed -= 1;
          throw new Error('killed');
        }
        notices.push(foundAt === null ? 'made' : 'found');
      },
      ...settings,
    });
    const send = (id: string, decision: TallyDecision = takeAll) =>
      commands.handle(stopping, id, decision, { context: contextOf(), answer: ({ sum }) => sum });
    return { commands, notices, send };
  }

  it('is announced before it is answered, and is not answered when the announcement fails', async () => {
    const { notices, send } = process(1);
    const id = newTally();
    await send(id, add(5));
    await expect(send(id)).rejects.toThrow('killed');
    expect(notices).toEqual([]);
    await send(id);
    await send(id);
    expect(notices).toEqual(['found']);
  });

  it('is announced once by the process that made it, however often it finds it made', async () => {
    const { notices, send } = process();
    const id = newTally();
    await send(id, add(5));
    await send(id);
    await send(id);
    await send(id);
    expect(notices).toEqual(['made']);
  });

  it('is announced by another process that finds it made, once', async () => {
    const id = newTally();
    const first = process(1);
    await first.send(id, add(5));
    await expect(first.send(id)).rejects.toThrow('killed');
    await first.send(id, add(0));
    const second = process();
    await second.send(id, fillTo(0));
    await second.send(id, fillTo(0));
    expect(second.notices).toEqual(['found']);
  });

  it('is announced before a command is refused because of it, by its decision or its preparation', async () => {
    const id = newTally();
    const first = process(1);
    await first.send(id, add(5));
    await expect(first.send(id)).rejects.toThrow('killed');
    const [decided, prepared] = [process(), process()];
    await expect(decided.send(id, take(1))).rejects.toThrow(Refusal);
    const prepare = () => Promise.reject(notEnough());
    const options = { context: contextOf() };
    await expect(prepared.commands.handle(stopping, id, { prepare }, options)).rejects.toThrow(Refusal);
    expect([decided.notices, prepared.notices]).toEqual([['found'], ['found']]);
  });

  it('is announced when a snapshot hides it', async () => {
    const id = newTally();
    const stored = new Map<string, JsonObject>();
    const snapshots: SnapshotStore = {
      read: async (stream) => stored.get(stream) ?? null,
      write: async (stream, snapshot) => void stored.set(stream, snapshot),
    };
    const first = process(1, { snapshots });
    await first.send(id, add(5));
    await expect(first.send(id)).rejects.toThrow('killed');
    expect(stored.size).toBe(1);
    const second = process(0, { snapshots });
    await second.send(id, fillTo(0));
    expect(second.notices).toEqual(['found']);
  });

  it('is not announced when none was made', async () => {
    const id = newTally();
    const { notices, send } = process();
    await send(id, add(5));
    await send(id, fillTo(5));
    expect(notices).toEqual([]);
  });
});
