import type { Commands } from '#kernel/commands/commands.js';
import { decider, type TimedDecision } from '#kernel/commands/decider.js';
import { event } from '#kernel/events/event.js';
import { MAX_APPEND_BYTES, type EventStore } from '#kernel/ports/event-store.port.js';
import { Timestamp, Type } from '#kernel/values/schema.js';
import { eventsOf } from '../support/event-stores.js';
import { faultyEventStore } from '../support/faulty-event-store.js';
import { sharedSqliteEventStore, sharedSqliteEventStores } from '../support/sqlite-event-stores.js';
import { at, commandsOn, contextOf, notEnough } from './tally.js';

/** Seats that are lent until a time. */
type Seats = { readonly lent: ReadonlyMap<number, string> };

const seatEvents = {
  Lent: event(Type.Object({ seat: Type.Integer(), until: Timestamp, note: Type.Optional(Type.String()) })),
  Freed: event(Type.Object({ seat: Type.Integer() })),
};

const seats = decider<Seats>()({
  category: 'seats',
  scope: 'workspace',
  vocabulary: seatEvents,
  strict: true,
  initial: () => ({ lent: new Map() }),
  on: {
    Lent: ({ lent }, { data }) => ({ lent: new Map([...lent, [data.seat, data.until]]) }),
    Freed: ({ lent }, { data }) => ({ lent: new Map([...lent].filter(([seat]) => seat !== data.seat)) }),
  },
  due: ({ lent }, now) =>
    [...lent]
      .filter(([, until]) => until <= now)
      .sort(([, left], [, right]) => (left < right ? -1 : 1))
      .map(([seat, until]) => ({ event: { type: 'Freed', data: { seat } }, at: until })),
});
type SeatDecision = TimedDecision<Seats, typeof seatEvents>;

const lend =
  (seat: number, minutes: number): SeatDecision =>
  ({ lent }, now) => {
    if (lent.has(seat)) throw notEnough();
    return [
      { type: 'Lent', data: { seat, until: new Date(Date.parse(now) + minutes * 60_000).toISOString() } },
    ];
  };

/** Lends many seats until a time. */
const lendMany =
  (from: number, count: number, until: string): SeatDecision =>
  () =>
    Array.from({ length: count }, (_, at) => ({ type: 'Lent', data: { seat: from + at, until } }));

/** Lends a seat with a note of this size. */
const lendNoted =
  (seat: number, bytes: number): SeatDecision =>
  () => [{ type: 'Lent', data: { seat, until: '2027-01-01T00:00:00.000Z', note: 'x'.repeat(bytes) } }];

const NOON = '2026-01-01T12:00:00.000Z';
const HALF_PAST = '2026-01-01T12:30:00.000Z';
const ONE = '2026-01-01T13:00:00.000Z';

const files = sharedSqliteEventStores();
const store = sharedSqliteEventStore(files);
let streams = 0;
const newId = (): string => `1_s${(streams += 1)}`;

/** The command path on an aggregate without an undo: due events that were not written are read again. */
function on(now: string, eventStore: EventStore = store): Commands {
  return commandsOn(eventStore, { clock: at(now) });
}

const send = (commands: Commands, id: string, decision: SeatDecision, recordsDue = false) =>
  commands.handle(seats, id, decision, {
    context: contextOf(),
    answer: ({ lent }) => [...lent.keys()],
    recordsDue,
  });

/** Type and time of every event of a stream. */
const recorded = async (id: string) =>
  (await eventsOf(store, `seats-${id}`)).map(({ type, metadata }) => [type, metadata['recordedAt']]);

describe('LOT-01: the time of a decision', () => {
  it('is the clock, and its events carry it', async () => {
    const id = newId();
    await send(on(NOON), id, lend(1, 30));
    expect(await recorded(id)).toEqual([['Lent', NOON]]);
    const [lent] = await eventsOf(store, `seats-${id}`);
    expect(lent?.data).toEqual({ seat: 1, until: HALF_PAST });
  });

  it('is that of the last event, when the clock is behind it', async () => {
    const id = newId();
    await send(on(ONE), id, lend(1, 30));
    await send(on(NOON), id, lend(2, 30));
    expect(await recorded(id)).toEqual([
      ['Lent', ONE],
      ['Lent', ONE],
    ]);
    const [, second] = await eventsOf(store, `seats-${id}`);
    expect(second?.data['until']).toBe('2026-01-01T13:30:00.000Z');
  });
});

describe('LOT-01: due events', () => {
  it('are recorded before the decision, at their due time, in the same append', async () => {
    const id = newId();
    await send(on(NOON), id, lend(1, 30));
    await send(on(NOON), id, lend(2, 10));
    const faulty = faultyEventStore(store, { faultOf: () => null });
    const { answer, appended } = await send(on(ONE, faulty), id, lend(1, 30));
    expect(answer).toEqual([1]);
    expect(appended).toBe(1);
    expect(faulty.appends).toHaveLength(1);
    expect(await recorded(id)).toEqual([
      ['Lent', NOON],
      ['Lent', NOON],
      ['Freed', '2026-01-01T12:10:00.000Z'],
      ['Freed', HALF_PAST],
      ['Lent', ONE],
    ]);
  });

  it('count for the size of an append, and are written first and alone if no decision fits beside them', async () => {
    const id = newId();
    await send(on(NOON), id, lendMany(1, 1_000, HALF_PAST));
    const faulty = faultyEventStore(store, { faultOf: () => null });
    const commands = on(ONE, faulty);
    const half = MAX_APPEND_BYTES / 2 - 5_000;
    const nothing: SeatDecision = () => [];
    const [small, read, ...large] = await Promise.all([
      send(commands, id, lendNoted(5_000, 1_000)),
      send(commands, id, nothing),
      send(commands, id, lendNoted(5_001, MAX_APPEND_BYTES - 10_000)),
      send(commands, id, lendNoted(5_002, half)),
      send(commands, id, lendNoted(5_003, half)),
    ]);
    expect([small?.answer, read?.answer]).toEqual([[5_000], [5_000]]);
    expect(large.map(({ answer }) => answer)).toEqual([
      [5_000, 5_001],
      [5_000, 5_001, 5_002],
      [5_000, 5_001, 5_002, 5_003],
    ]);
    expect(faulty.appends).toHaveLength(3);
    const other = newId();
    await send(on(NOON), other, lendMany(1, 1_000, HALF_PAST));
    const { answer, appended } = await send(commands, other, lendNoted(1, MAX_APPEND_BYTES - 10_000));
    expect([answer, appended]).toEqual([[1], 1]);
    expect(faulty.appends).toHaveLength(5);
    const types = (await recorded(other)).map(([type]) => type);
    expect([types.length, types.at(-2), types.at(-1)]).toEqual([2_001, 'Freed', 'Lent']);
  });

  it('are due in their whole instant and not before', async () => {
    const id = newId();
    await send(on(NOON), id, lend(1, 30));
    await expect(send(on('2026-01-01T12:29:59.999Z'), id, lend(1, 30))).rejects.toThrow('not enough');
    expect((await send(on(HALF_PAST), id, lend(1, 30))).answer).toEqual([1]);
  });

  it('are seen by a decision that refuses or changes nothing, and by a read, and not recorded', async () => {
    const id = newId();
    await send(on(NOON), id, lend(1, 30));
    const later = on(ONE);
    const refuse: SeatDecision = ({ lent }) => {
      throw notEnough({ detail: `${lent.size} are lent` });
    };
    await expect(send(later, id, refuse)).rejects.toMatchObject({ details: { detail: '0 are lent' } });
    expect((await send(later, id, () => [])).answer).toEqual([]);
    expect(await later.load(seats, id, ({ lent }) => lent.size)).toBe(0);
    expect(await recorded(id)).toEqual([['Lent', NOON]]);
  });

  it('are recorded once on request', async () => {
    const id = newId();
    await send(on(NOON), id, lend(1, 30));
    const later = on(ONE);
    const both = await Promise.all([
      send(later, id, () => [], true),
      send(on(ONE, await files.open()), id, () => [], true),
    ]);
    expect(both.map(({ answer }) => answer)).toEqual([[], []]);
    await send(later, id, () => [], true);
    expect(await recorded(id)).toEqual([
      ['Lent', NOON],
      ['Freed', HALF_PAST],
    ]);
  });

  it('are written by the one decision that writes, among those that came with it', async () => {
    const id = newId();
    await send(on(NOON), id, lend(1, 30));
    await send(on(NOON), id, lend(2, 120));
    const later = on(ONE);
    const [refused, lent] = await Promise.allSettled([
      send(later, id, lend(2, 30)),
      send(later, id, lend(1, 30)),
    ]);
    expect([refused.status, lent.status]).toEqual(['rejected', 'fulfilled']);
    expect((await recorded(id)).map(([type]) => type)).toEqual(['Lent', 'Lent', 'Freed', 'Lent']);
  });
});
