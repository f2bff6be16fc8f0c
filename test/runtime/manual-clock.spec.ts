import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { openManualClock, type ManualClock } from '#clock/manual-clock.js';
import { eventually } from '#test/projections/engine-fixture.js';

describe('the manual clock', () => {
  let folder: string;
  let store: EventStore;
  const clocks: ManualClock[] = [];
  const troubles: unknown[] = [];
  beforeEach(async () => {
    troubles.length = 0;
    folder = mkdtempSync(join(tmpdir(), 'clock-'));
    store = await openSqliteEventStore({ path: join(folder, 'events.db'), pollMs: 2 });
  });
  afterEach(async () => {
    for (const clock of clocks.splice(0)) await clock.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const open = async (events: EventStore = store): Promise<ManualClock> => {
    const clock = await openManualClock(events, (_what, error) => troubles.push(error));
    clocks.push(clock);
    return clock;
  };

  it('is set by the first process that opens it, so that the next agrees with it', async () => {
    const [first, second] = await Promise.all([open(), open()]);
    const third = await open();
    expect(second.now()).toEqual(first.now());
    expect(third.now()).toEqual(first.now());
    const events: StoredEvent[] = [];
    for await (const batch of store.readStream('clock')) events.push(...batch);
    expect(events.map(({ type }) => type)).toEqual(['ClockSet']);
  });

  it('follows changes of another process, also after a failed read', async () => {
    const first = await open();
    let failures = 1;
    const second = await open({
      ...store,
      subscribe: (options) => {
        failures -= 1;
        if (failures >= 0) throw new Error('lost');
        return store.subscribe(options);
      },
    });
    const noon = new Date('2026-06-01T12:00:00.000Z');
    await first.set(noon);
    await eventually(() => second.now().getTime() === noon.getTime());
    expect(troubles).toEqual([new Error('lost')]);
  });

  it('waits for no position of other events, which a server has to be asked for', async () => {
    const asked: unknown[] = [];
    await open({
      ...store,
      subscribe: (options) => {
        asked.push(options.onlyEvents);
        return store.subscribe(options);
      },
    });
    await eventually(() => asked.length > 0);
    expect(asked).toEqual([true]);
  });

  it('notifies every process when it was set, so that due work is checked', async () => {
    const first = await open();
    const second = await open();
    const calls: string[] = [];
    first.whenSet(() => calls.push(`first ${first.now().toISOString()}`));
    second.whenSet(() => calls.push(`second ${second.now().toISOString()}`));
    const noon = '2026-06-01T12:00:00.000Z';
    await first.set(new Date(noon));
    expect(calls).toContain(`first ${noon}`);
    await eventually(() => calls.includes(`second ${noon}`));
  });

  it('is not put back by a read that began before it was set', async () => {
    const readUntil: string[] = [];
    let letGo = (): void => undefined;
    let isHolding = false;
    let isHeld = false;
    const slow: EventStore = {
      ...store,
      readStream: async function* (stream, options) {
        const pages = [];
        for await (const page of store.readStream(stream, options)) pages.push(page);
        const wasHeld = isHolding;
        if (isHolding) {
          isHeld = true;
          await new Promise<void>((resolve) => (letGo = resolve));
        }
        yield* pages;
        // After the next read, the clock has the value of the earlier one.
        if (wasHeld) readUntil.push(clock.now().toISOString());
      },
    };
    const clock = await open(slow);
    const other = await open();
    isHolding = true;
    await other.set(new Date('2026-06-01T10:00:00.000Z'));
    await eventually(() => isHeld);
    isHolding = false;
    await clock.set(new Date('2026-06-01T11:00:00.000Z'));
    letGo();
    await eventually(() => readUntil.length === 1);
    expect(readUntil).toEqual(['2026-06-01T11:00:00.000Z']);
  });

  it('is not put back by its own change, if that of another process came after it', async () => {
    let letGo = (): void => undefined;
    let isHolding = false;
    const slow: EventStore = {
      ...store,
      append: async (...appended) => {
        const done = await store.append(...appended);
        if (isHolding) await new Promise<void>((resolve) => (letGo = resolve));
        return done;
      },
    };
    const clock = await open(slow);
    const other = await open();
    isHolding = true;
    const setting = clock.set(new Date('2026-06-01T10:00:00.000Z'));
    await eventually(() => other.now().toISOString() === '2026-06-01T10:00:00.000Z');
    await other.set(new Date('2026-06-01T11:00:00.000Z'));
    await eventually(() => clock.now().getTime() === other.now().getTime());
    letGo();
    await setting;
    expect(clock.now()).toEqual(other.now());
  });
});
