import type { Commands } from '#kernel/commands/commands.js';
import { decider, type TimedDecision } from '#kernel/commands/decider.js';
import { event } from '#kernel/events/event.js';
import { MAX_APPEND_BYTES } from '#kernel/ports/event-store.port.js';
import { Timestamp, Type } from '#kernel/values/schema.js';
import { eventsOf } from '../support/event-stores.js';
import { faultyEventStore } from '../support/faulty-event-store.js';
import { sharedSqliteEventStore } from '../support/sqlite-event-stores.js';
import { at, commandsOn, contextOf } from './tally.js';

/** A tank that reports once when it falls below its mark, and leaks at due times. */
type Tank = { readonly level: number; readonly isLowNoticed: boolean; readonly leaksAt: string | null };

const tankEvents = {
  Filled: event(Type.Object({ by: Type.Integer(), leaksAt: Type.Optional(Timestamp) })),
  Drained: event(Type.Object({ by: Type.Integer(), note: Type.Optional(Type.String()) })),
  Leaked: event(Type.Object({})),
  LowTold: event(Type.Object({ level: Type.Integer() })),
};

const LOW = 10;

const tanks = decider<Tank>()({
  category: 'tanks',
  scope: 'workspace',
  vocabulary: tankEvents,
  strict: true,
  initial: () => ({ level: 0, isLowNoticed: true, leaksAt: null }),
  on: {
    Filled: (tank, { data }) => ({
      level: tank.level + data.by,
      isLowNoticed: false,
      leaksAt: data.leaksAt ?? tank.leaksAt,
    }),
    Drained: (tank, { data }) => ({ ...tank, level: tank.level - data.by }),
    Leaked: (tank) => ({ ...tank, level: 0, leaksAt: null }),
    LowTold: (tank) => ({ ...tank, isLowNoticed: true }),
  },
  due: ({ leaksAt }, now) =>
    leaksAt === null || leaksAt > now ? [] : [{ event: { type: 'Leaked', data: {} }, at: leaksAt }],
  follows: ({ level, isLowNoticed }) =>
    level < LOW && !isLowNoticed ? [{ type: 'LowTold', data: { level } }] : [],
});
type TankDecision = TimedDecision<Tank, typeof tankEvents>;

const fill =
  (by: number, leaksAt?: string): TankDecision =>
  () => [{ type: 'Filled', data: { by, leaksAt } }];
const drain =
  (by: number, note?: string): TankDecision =>
  () => [{ type: 'Drained', data: { by, note } }];

const NOON = '2026-01-01T12:00:00.000Z';
const HALF_PAST = '2026-01-01T12:30:00.000Z';
const ONE = '2026-01-01T13:00:00.000Z';

describe('the events that follow a decision', () => {
  const store = sharedSqliteEventStore();
  let streams = 0;
  const newId = (): string => `1_t${(streams += 1)}`;

  const on = (now: string, eventStore = store): Commands => commandsOn(eventStore, { clock: at(now) });
  const send = (commands: Commands, id: string, decision: TankDecision) =>
    commands.handle(tanks, id, decision, { context: contextOf(), answer: ({ level }) => level });
  const recorded = async (id: string) => (await eventsOf(store, `tanks-${id}`)).map(({ type }) => type);

  it('LOW-01 come after its events in the same append, written by the system and not counted as the decision’s', async () => {
    const id = newId();
    const faulty = faultyEventStore(store, { faultOf: () => null });
    const commands = on(NOON, faulty);
    await send(commands, id, fill(12));
    const { appended } = await send(commands, id, drain(5));
    expect(appended).toBe(1);
    expect(faulty.appends).toHaveLength(2);
    expect(await recorded(id)).toEqual(['Filled', 'Drained', 'LowTold']);
    const [, drained, notice] = await eventsOf(store, `tanks-${id}`);
    expect(notice?.metadata).toMatchObject({ actorKind: 'system', actorId: 'follows', recordedAt: NOON });
    expect(notice?.metadata['correlationId']).toBe(drained?.metadata['correlationId']);
    expect(notice?.metadata['commandId']).not.toBe(drained?.metadata['commandId']);
  });

  it('LOW-01 are decided after each of the decisions that are written together, once each', async () => {
    const id = newId();
    const commands = on(NOON);
    await Promise.all([12, -5, 20, -30, -1].map((by) => send(commands, id, by > 0 ? fill(by) : drain(-by))));
    expect(await recorded(id)).toEqual([
      ...['Filled', 'Drained', 'LowTold'],
      ...['Filled', 'Drained', 'LowTold', 'Drained'],
    ]);
  });

  it('LOW-01 come after due events, at their time, and are written by the next writer', async () => {
    const id = newId();
    await send(on(NOON), id, fill(40, HALF_PAST));
    const nothing: TankDecision = () => [];
    const { answer, appended } = await send(on(ONE), id, nothing);
    expect([answer, appended]).toEqual([0, 0]);
    expect(await recorded(id)).toEqual(['Filled']);
    await send(on(ONE), id, drain(0));
    const events = await eventsOf(store, `tanks-${id}`);
    expect(events.map(({ type, metadata }) => [type, metadata['recordedAt']])).toEqual([
      ['Filled', NOON],
      ['Leaked', HALF_PAST],
      ['LowTold', HALF_PAST],
      ['Drained', ONE],
    ]);
  });

  it('have room in an append, however large the events of the decision are', async () => {
    const id = newId();
    const commands = on(NOON);
    await send(commands, id, fill(12));
    const tooLarge = drain(5, 'x'.repeat(MAX_APPEND_BYTES - 1_000));
    await expect(send(commands, id, tooLarge)).rejects.toThrow(/append/);
    expect(await recorded(id)).toEqual(['Filled']);
  });
});
