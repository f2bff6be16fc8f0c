import { StoreUnavailable, type EventStore } from '#kernel/ports/event-store.port.js';
import type { Decider } from '#kernel/commands/decider.js';
import { loopTurn } from '#kernel/commands/loop-turn.js';
import { StreamQueue } from '#kernel/commands/stream-queue.js';
import { eventsOf } from '../support/event-stores.js';
import { faultyEventStore } from '../support/faulty-event-store.js';
import { sharedSqliteEventStore } from '../support/sqlite-event-stores.js';
import { add, contextOf, fillTo, NOON, tally, type TallyDecision } from './tally.js';

const MINUTE_MS = 60_000;

describe('a stream with a command of unknown outcome', () => {
  const store = sharedSqliteEventStore();
  let streams = 0;
  let id: string;
  let nowMs: number;
  beforeEach(() => {
    id = `1_d${(streams += 1)}`;
    nowMs = 0;
  });

  const queueOn = (eventStore: EventStore): StreamQueue =>
    new StreamQueue(tally as unknown as Decider<never>, id, {
      eventStore,
      clock: NOON,
      retry: { tries: 1, firstDelayMs: 1, longestDelayMs: 1 },
      mostConflicts: 4,
      recall: null,
      turn: loopTurn(),
      snapshots: null,
      onSnapshotFailure: () => undefined,
      onWeight: () => undefined,
      nowMs: () => nowMs,
    });
  const send = (queue: StreamQueue, decision: TallyDecision, commandId?: string) =>
    queue.submit(decision, ({ sum }) => sum, contextOf(commandId));
  const written = async (commandId: string): Promise<number> =>
    (await eventsOf(store, `tally-${id}`)).filter(({ metadata }) => metadata['commandId'] === commandId)
      .length;

  it.each(['lost acknowledgement', 'lost request'] as const)(
    'stays in memory until the command was sent again and answered (%s)',
    async (fault) => {
      const queue = queueOn(faultyEventStore(store, { faultOf: (index) => (index === 0 ? fault : null) }));
      await expect(send(queue, add(7), 'once')).rejects.toMatchObject({ outcome: 'unknown' });
      expect(queue.discard()).toBe(false);
      await send(queue, add(1));
      expect(queue.discard()).toBe(false);
      expect(await send(queue, add(7), 'once')).toMatchObject({ answer: 8, appended: 1 });
      expect(queue.discard()).toBe(true);
      expect(await written('once')).toBe(1);
    },
  );

  it('stays while the command may come back: until ten minutes after its last attempt', async () => {
    let isAway = false;
    const eventStore = faultyEventStore(store, {
      faultOf: (index) => (index === 0 ? 'lost acknowledgement' : isAway ? 'unavailable' : null),
    });
    const queue = queueOn(eventStore);
    await expect(send(queue, add(7), 'once')).rejects.toMatchObject({ outcome: 'unknown' });
    nowMs += 9 * MINUTE_MS;
    isAway = true;
    await expect(send(queue, fillTo(100))).rejects.toMatchObject({ outcome: 'nothing-written' });
    expect(queue.discard()).toBe(false);
    nowMs += MINUTE_MS;
    expect(queue.discard()).toBe(true);
    expect(await written('once')).toBe(1);
  });

  it('recognises a command that is sent again and again during a long outage', async () => {
    let isReadable = true;
    const faulty = faultyEventStore(store, {
      faultOf: (index) => (index === 0 ? 'lost acknowledgement' : null),
    });
    const eventStore: EventStore = {
      ...faulty,
      readStream(stream, read) {
        if (!isReadable) throw new StoreUnavailable('not now', 'nothing-written');
        return faulty.readStream(stream, read);
      },
    };
    const queue = queueOn(eventStore);
    await send(queueOn(store), add(1));
    await expect(send(queue, add(7), 'once')).rejects.toMatchObject({ outcome: 'unknown' });
    isReadable = false;
    for (let attempts = 0; attempts < 3; attempts += 1) {
      nowMs += 9 * MINUTE_MS;
      await expect(send(queue, add(7), 'once')).rejects.toThrow(StoreUnavailable);
    }
    isReadable = true;
    nowMs += 9 * MINUTE_MS;
    await send(queue, add(1));
    expect(await send(queue, add(7), 'once')).toMatchObject({ answer: 9, appended: 1 });
    expect(await written('once')).toBe(1);
  });
});
