import { createCommands, type Commands } from '#kernel/commands/commands.js';
import { evolve } from '#kernel/commands/decider.js';
import { StoreUnavailable, type StoredEvent } from '#kernel/ports/event-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { eventsOf } from '../support/event-stores.js';
import { faultyEventStore, type AppendFault } from '../support/faulty-event-store.js';
import { seededRandom } from '../support/seeded-random.js';
import { sharedSqliteEventStore } from '../support/sqlite-event-stores.js';
import { add, commandsOn, fillTo, NOON, sealTally, send, take, tally, type Tally, whole } from './tally.js';

const FAULTS: readonly AppendFault[] = [
  'wrong-revision',
  'unavailable',
  'lost acknowledgement',
  'lost request',
];

const CASES = [
  [1, false],
  [1, true],
  [3, false],
] as const;

const store = sharedSqliteEventStore();
let streams = 0;
const newTally = (): string => `1_t${(streams += 1)}`;

function foldOf(events: readonly StoredEvent[]): Tally {
  return events.reduce((state, event) => evolve(tally, state, event), tally.initial());
}

/** Invariants of every history: positions, seals, time, and no amount below zero at any point. */
function expectSound(events: readonly StoredEvent[]): void {
  let [hash, recordedAt, sum] = ['', '', 0];
  events.forEach((event, index) => {
    expect(event.revision).toBe(BigInt(index));
    hash = sealTally(hash, event);
    expect(event.metadata['hash']).toBe(hash);
    expect((event.metadata['recordedAt'] ?? '') >= recordedAt).toBe(true);
    recordedAt = event.metadata['recordedAt'] ?? '';
    sum += (event.type === 'Added' ? 1 : -1) * Number(event.data['amount']);
    expect(sum).toBeGreaterThanOrEqual(0);
  });
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
}

function countOf(events: readonly StoredEvent[], commandId: string): number {
  return events.filter(({ metadata }) => metadata['commandId'] === commandId).length;
}

/** A few rounds of commands; some are refused or change nothing. */
async function work(commands: Commands, id: string): Promise<void> {
  expect((await send(commands, id, add(10), `${id}-ten`)).answer).toBeGreaterThanOrEqual(10);
  await Promise.all([
    send(commands, id, add(5), `${id}-five`),
    expect(send(commands, id, take(1_000_000), `${id}-refused`)).rejects.toThrow(Refusal),
    send(commands, id, take(3), `${id}-three`),
    send(commands, id, add(1), `${id}-one`),
  ]);
  expect((await send(commands, id, fillTo(2), `${id}-nothing`)).appended).toBe(0);
  await expect(send(commands, id, take(1_000_000), `${id}-refused`)).rejects.toThrow(Refusal);
  await send(commands, id, take(2), `${id}-two`);
}

async function expectDoneOnce(commands: Commands, id: string, others: number): Promise<void> {
  const events = await eventsOf(store, `tally-${id}`);
  for (const done of ['ten', 'five', 'three', 'one', 'two']) expect(countOf(events, `${id}-${done}`)).toBe(1);
  for (const undone of ['refused', 'nothing']) expect(countOf(events, `${id}-${undone}`)).toBe(0);
  expect(events).toHaveLength(5 + others);
  expectSound(events);
  expect(await commands.load(tally, id, whole)).toEqual(foldOf(events));
}

describe('a command whose append fails', () => {
  for (const fault of FAULTS) {
    for (let position = 0; position < 3; position += 1) {
      for (const [repeats, repeatsConflict] of CASES) {
        const server = repeatsConflict ? ', no repetition recognised' : '';
        it(`has one effect: ${fault} from append ${position} on, ${repeats} times${server}`, async () => {
          const id = newTally();
          const other = commandsOn(store);
          let interfered = 0;
          const faulty = faultyEventStore(store, {
            faultOf: (index) => (index >= position && index < position + repeats ? fault : null),
            repeatsConflict,
            interfere: async () => {
              interfered += 1;
              await send(other, id, add(100));
            },
          });
          const commands = commandsOn(faulty);
          await work(commands, id);
          expect(faulty.appends.length).toBeGreaterThan(position);
          await expectDoneOnce(commands, id, interfered);
        });
      }
    }
  }

  it('is sent again with the very same bytes, ids and revision while its outcome is unknown', async () => {
    const faulty = faultyEventStore(store, {
      faultOf: (index) => (index === 0 ? 'lost acknowledgement' : index === 1 ? 'lost request' : null),
    });
    const id = newTally();
    await Promise.all([send(commandsOn(faulty), id, add(1)), send(commandsOn(faulty), newTally(), add(1))]);
    const own = faulty.appends.filter(({ stream }) => stream === `tally-${id}`);
    for (const append of own) expect(append).toEqual(own[0]);
    expect(faulty.appends.length).toBe(4);
  });

  it('does not refuse a read of the same stream that came with it', async () => {
    const id = newTally();
    await send(commandsOn(store), id, add(7));
    const faulty = faultyEventStore(store, { faultOf: () => 'unavailable' });
    const retry = { tries: 2, firstDelayMs: 1, longestDelayMs: 1, patienceMs: 0 };
    const commands = commandsOn(faulty, { retry });
    const [written, read] = await Promise.allSettled([
      send(commands, id, add(1)),
      commands.load(tally, id, whole),
    ]);
    expect(written).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    expect(read).toMatchObject({ status: 'fulfilled', value: { sum: 7 } });
    expect(await eventsOf(store, `tally-${id}`)).toHaveLength(1);
  });

  it('is not retried after its time limit, even with retries left', async () => {
    const faulty = faultyEventStore(store, { faultOf: () => 'unavailable' });
    const retry = { tries: 1_000, firstDelayMs: 1, longestDelayMs: 1, patienceMs: 0 };
    const commands = createCommands({
      eventStore: faulty,
      clock: NOON,
      progress: { reached: async () => true },
      retry,
    });
    await expect(send(commands, newTally(), add(1))).rejects.toThrow(StoreUnavailable);
    expect(faulty.appends).toHaveLength(1);
  });

  it('gets new event ids when it is decided again', async () => {
    const id = newTally();
    const faulty = faultyEventStore(store, {
      faultOf: (index) => (index === 0 ? 'wrong-revision' : null),
      interfere: () => send(commandsOn(store), id, add(100)),
    });
    await send(commandsOn(faulty), id, add(1));
    const [first, second] = faulty.appends;
    expect(first?.events[0]?.id).not.toBe(second?.events[0]?.id);
    expect(second?.expected).toBe(0n);
  });

  it('reports an unknown outcome when only the last of its attempts is known to have written nothing', async () => {
    const faulty = faultyEventStore(store, {
      faultOf: (index) => (index === 0 ? 'lost acknowledgement' : 'unavailable'),
    });
    const failure: unknown = await send(commandsOn(faulty), newTally(), add(1)).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(failure).toMatchObject({ outcome: 'unknown' });
  });

  it('is recognised when it is sent again after its outcome stayed unknown', async () => {
    const id = newTally();
    let down = true;
    const faulty = faultyEventStore(store, {
      faultOf: (index) => (index === 0 ? 'lost acknowledgement' : down ? 'unavailable' : null),
    });
    const commands = commandsOn(faulty);
    await expect(send(commands, id, add(7), 'once')).rejects.toThrow(StoreUnavailable);
    down = false;
    // Another command loads the state first: the outcome stays unknown.
    await send(commands, id, add(1));
    const again = await send(commands, id, add(7), 'once');
    expect(again).toMatchObject({ answer: 8, appended: 1 });
    expect(countOf(await eventsOf(store, `tally-${id}`), 'once')).toBe(1);
  });

  it('leaves the stream usable after the store was away for longer than its retries', async () => {
    const id = newTally();
    let down = true;
    const commands = commandsOn(faultyEventStore(store, { faultOf: () => (down ? 'unavailable' : null) }));
    await expect(send(commands, id, add(5))).rejects.toMatchObject({ outcome: 'nothing-written' });
    down = false;
    // The failed write does not count, neither for a command with no change nor for a refusal.
    expect(await send(commands, id, fillTo(2))).toMatchObject({ answer: 2, appended: 1 });
    await expect(send(commands, id, take(5))).rejects.toThrow(Refusal);
    expect(await eventsOf(store, `tally-${id}`)).toHaveLength(1);
  });

  it('gives up with 503 and nothing written when others are always faster, and works when they stop', async () => {
    const id = newTally();
    const other = commandsOn(store);
    let busy = true;
    let written = 0;
    const faulty = faultyEventStore(store, {
      faultOf: () => (busy ? 'wrong-revision' : null),
      interfere: () => {
        written += 1;
        return send(other, id, add(1));
      },
    });
    const commands = commandsOn(faulty);
    await expect(send(commands, id, add(50), 'late')).rejects.toThrow(StoreUnavailable);
    busy = false;
    expect((await send(commands, id, add(50), 'late')).answer).toBe(50 + written);
    expect(countOf(await eventsOf(store, `tally-${id}`), 'late')).toBe(1);
  });
});

describe('many writers with random faults against a model', () => {
  const WRITERS = 4;
  const COMMANDS = 25;

  /** Writers with separate stores on one file; each command is sent until its outcome is known. */
  async function simulate(seed: number): Promise<void> {
    const random = seededRandom(seed);
    const id = newTally();
    const done = new Map<string, number>();
    const refused = new Set<string>();
    const faults = (): AppendFault | null =>
      random() < 0.35 ? (FAULTS[Math.floor(random() * FAULTS.length)] ?? null) : null;

    async function writer(name: string): Promise<void> {
      const intruder = commandsOn(store);
      const commands = commandsOn(
        faultyEventStore(store, {
          faultOf: faults,
          interfere: () => send(intruder, id, add(2)),
          repeatsConflict: random() < 0.5,
        }),
        { cacheBytes: random() < 0.3 ? 1 : undefined },
      );
      async function command(index: number): Promise<void> {
        const commandId = `${name}-${index}`;
        const amount = 1 + Math.floor(random() * 9);
        const [decision, effect] = random() < 0.5 ? [add(amount), amount] : [take(amount * 3), -amount * 3];
        for (;;) {
          try {
            await send(commands, id, decision, commandId);
            done.set(commandId, effect);
            return;
          } catch (error) {
            if (error instanceof Refusal) {
              refused.add(commandId);
              return;
            }
            if (!(error instanceof StoreUnavailable)) throw error;
          }
        }
      }
      for (let index = 0; index < COMMANDS;) {
        const together = 1 + Math.floor(random() * 6);
        await Promise.all(Array.from({ length: together }, () => command(index++)));
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, index) => writer(`s${seed}w${index}`)));

    const events = await eventsOf(store, `tally-${id}`);
    expectSound(events);
    for (const [commandId, effect] of done) {
      const own = events.filter(({ metadata }) => metadata['commandId'] === commandId);
      expect(own.map(({ type, data }) => (type === 'Added' ? 1 : -1) * Number(data['amount']))).toEqual([
        effect,
      ]);
    }
    for (const commandId of refused) expect(countOf(events, commandId)).toBe(0);
    expect(done.size + refused.size).toBeGreaterThanOrEqual(WRITERS * COMMANDS);
    expect(refused.size).toBeGreaterThan(0);
    expect(await commandsOn(store).load(tally, id, whole)).toEqual(foldOf(events));
  }

  for (const seed of [1, 2, 3, 4, 5, 6]) {
    it(`has one effect per command, in any case (seed ${seed})`, () => simulate(seed));
  }
});

describe('two workers with the same deterministic command id', () => {
  it('have one effect together', async () => {
    const id = newTally();
    const [one, two] = [commandsOn(store), commandsOn(store)];
    await Promise.all([one.load(tally, id, whole), two.load(tally, id, whole)]);
    const answers = await Promise.all([send(one, id, add(5), 'same'), send(two, id, add(5), 'same')]);
    expect(answers.map(({ answer, appended }) => [answer, appended])).toEqual([
      [5, 1],
      [5, 1],
    ]);
    expect(await eventsOf(store, `tally-${id}`)).toHaveLength(1);
  });

  it('have one effect when the effect of the first would make the second refused', async () => {
    const id = newTally();
    const [one, two] = [commandsOn(store), commandsOn(store)];
    await two.load(tally, id, whole);
    await send(one, id, add(5));
    await send(one, id, take(5), 'same take');
    expect((await send(two, id, take(5), 'same take')).answer).toBe(0);
    expect(await eventsOf(store, `tally-${id}`)).toHaveLength(2);
  });
});
