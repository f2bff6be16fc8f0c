import { join } from 'node:path';
import { copyEvents } from '#event-store/copy/copy-events.js';
import {
  oneAppendAtATime,
  wavesAtOnce,
  type CopyDestination,
  type CopySource,
} from '#event-store/copy/copy-ends.js';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import { openSqliteEventStore, type SqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import {
  StoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
  type StoredEvent,
} from '#kernel/ports/event-store.port.js';
import { startEventStoreDbServer } from '#test/servers/eventstoredb/eventstoredb-server.js';
import { faultyEventStore } from '#test/support/faulty-event-store.js';
import { killedAt } from '#test/support/killed-points.js';
import { mortal, untilDeath } from '#test/support/mortal.js';
import { hashOf, historyOf, noted, without, writeHistory } from './history.js';
import { refusalOf } from '#test/support/event-stores.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/** A complete source without records of other programs. */
function sourceOf(store: Pick<EventStore, 'readAll'>, events = 0): CopySource {
  return {
    readAll: (read) => store.readAll(read),
    survey: async () => ({ events, leftOut: { system: 0, foreign: 0 }, changed: new Map() }),
  };
}

/** A few events at a time, so that a small history is many waves. */
const small = (destination: CopyDestination): CopyDestination => ({
  ...destination,
  limits: { ...destination.limits, appends: Math.min(destination.limits.appends, 3), eventsPerAppend: 2 },
});

describe('copyEvents', () => {
  const folder = temporaryFolder('store-copy');
  const stores: EventStore[] = [];
  let files = 0;
  const file = async (): Promise<SqliteEventStore> => {
    files += 1;
    const store = await openSqliteEventStore({ path: join(folder, `events-${files}.db`) });
    stores.push(store);
    return store;
  };
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });

  let source: SqliteEventStore;
  let history: Awaited<ReturnType<typeof historyOf>>;
  beforeEach(async () => {
    source = await file();
    await writeHistory(source);
    history = await historyOf(source);
    expect(history.length).toBeGreaterThan(20);
  });

  it('keeps streams, revisions, ids, payloads, metadata and the overall order, and hashes them', async () => {
    const destination = await file();
    const copy = await copyEvents(sourceOf(source), wavesAtOnce(destination));
    expect(await historyOf(destination)).toEqual(history);
    expect(copy).toEqual({
      events: history.length,
      alreadyThere: 0,
      copied: history.length,
      leftOut: { system: 0, foreign: 0 },
      sha256: hashOf(history),
    });
  });

  it('recognizes a finished copy, and copies only the events added since', async () => {
    const destination = await file();
    await copyEvents(sourceOf(source), wavesAtOnce(destination));
    expect(await copyEvents(sourceOf(source), wavesAtOnce(destination))).toMatchObject({ copied: 0 });
    await source.append('late-1', 'no-stream', [noted(), noted()]);
    const again = await copyEvents(sourceOf(source), wavesAtOnce(destination));
    expect(again).toMatchObject({ alreadyThere: history.length, copied: 2, events: history.length + 2 });
    expect(await historyOf(destination)).toEqual(await historyOf(source));
  });

  it('reports its progress, phase by phase, up to the number of events', async () => {
    const seen = new Map<string, number>();
    await copyEvents(sourceOf(source, history.length), small(wavesAtOnce(await file())), (progress) => {
      expect(progress.done).toBeGreaterThanOrEqual(seen.get(progress.phase) ?? 0);
      seen.set(progress.phase, progress.done);
      expect(progress.total).toBe(history.length);
    });
    expect([...seen]).toEqual([
      ['copying', history.length],
      ['verifying', history.length],
    ]);
  });

  it('puts consecutive events of one stream into one append, and sends one append at a time if no order is guaranteed', async () => {
    const destination = await file();
    let inFlight = 0;
    let appends = 0;
    const copy = oneAppendAtATime({
      readAll: destination.readAll,
      append: async (...append) => {
        inFlight += 1;
        expect(inFlight).toBe(1);
        appends += 1;
        const appended = await destination.append(...append);
        inFlight -= 1;
        return appended;
      },
    });
    await copyEvents(sourceOf(source), copy);
    expect(await historyOf(destination)).toEqual(history);
    // Of each round: one, one, four in a row, one.
    expect(appends).toBe(4 * (history.length / 7));
  });

  it('holds no more than a wave of an endless history', async () => {
    const EVENTS = 50_000;
    let produced = 0;
    let written = 0;
    let furthestAhead = 0;
    const endless: CopySource['readAll'] = async function* () {
      for (; produced < EVENTS;) {
        const events = Array.from({ length: 500 }, (_, index): StoredEvent => ({
          ...noted({ text: 'x'.repeat(100) }),
          stream: `s-${Math.floor((produced + index) / 3)}`,
          revision: BigInt((produced + index) % 3),
          position: String(produced + index).padStart(16, '0'),
        }));
        produced += events.length;
        furthestAhead = Math.max(furthestAhead, produced - written);
        yield { events, position: events.at(-1)?.position ?? '', caughtUp: produced === EVENTS };
      }
    };
    const stop = new Error('the history is over: nothing is kept that could be read back');
    const destination: CopyDestination = {
      limits: { appends: 2_000, eventsPerAppend: 200, bytes: 1 << 20 },
      readAll: async function* () {
        if (written > 0) throw stop;
        yield { events: [], position: '', caughtUp: true };
      },
      write: async (appends) => {
        written += appends.reduce((sum, { events }) => sum + events.length, 0);
      },
    };
    await expect(copyEvents(sourceOf({ readAll: endless }), destination)).rejects.toBe(stop);
    expect(written).toBe(EVENTS);
    expect(furthestAhead).toBeLessThan(8_000);
  });

  describe('refusals', () => {
    it('a destination with other content, without a write', async () => {
      const destination = await file();
      await destination.append('credits-1', 'no-stream', [noted({ other: true })]);
      const before = await historyOf(destination);
      const refused = await refusalOf(copyEvents(sourceOf(source), wavesAtOnce(destination)));
      expect(refused.declaration.code).toBe('destination-holds-other-events');
      expect(refused.details.members).toEqual({ stream: 'credits-1', revision: '0' });
      expect(await historyOf(destination)).toEqual(before);
    });

    it('a destination that differs in one byte of one event that was copied', async () => {
      const destination = await file();
      const changed = (event: StoredEvent): boolean => event.stream === 'credits-2' && event.revision === 2n;
      for await (const { events } of source.readAll()) {
        for (const event of events) {
          const data = changed(event) ? { ...event.data, empty: ' ' } : event.data;
          await destination.append(event.stream, event.revision === 0n ? 'no-stream' : event.revision - 1n, [
            { id: event.id, type: event.type, data, metadata: event.metadata },
          ]);
        }
      }
      const refused = await refusalOf(copyEvents(sourceOf(source), wavesAtOnce(destination)));
      expect(refused.declaration.code).toBe('destination-holds-other-events');
      expect(refused.details.members).toEqual({ stream: 'credits-2', revision: '2' });
    });

    it('a destination that holds the same events in another order', async () => {
      const [first, destination] = [await file(), await file()];
      const events = [noted(), noted()] as const;
      await first.append('a-1', 'no-stream', [events[0]]);
      await first.append('b-1', 'no-stream', [events[1]]);
      await destination.append('b-1', 'no-stream', [events[1]]);
      await destination.append('a-1', 'no-stream', [events[0]]);
      const refused = await refusalOf(copyEvents(sourceOf(first), wavesAtOnce(destination)));
      expect(refused.details.members).toEqual({ stream: 'b-1', revision: '0' });
    });

    it('a destination that continues after the end of the source', async () => {
      const destination = await file();
      await copyEvents(sourceOf(source), wavesAtOnce(destination));
      await destination.append('later-1', 'no-stream', [noted()]);
      const refused = await refusalOf(copyEvents(sourceOf(source), wavesAtOnce(destination)));
      expect(refused.details.members).toEqual({ stream: 'later-1', revision: '0' });
    });

    for (const kind of ['whole waves', 'one append at a time'] as const) {
      it(`a stream with a missing event, by name, and a second run alike (${kind})`, async () => {
        const gone = ({ stream, revision }: StoredEvent): boolean =>
          stream === 'credits-1' && revision === 5n;
        const cut = without(source, gone);
        const destination = await file();
        const copy = small(kind === 'whole waves' ? wavesAtOnce(destination) : oneAppendAtATime(destination));
        for (const run of ['first', 'second']) {
          const refused = await refusalOf(copyEvents(sourceOf(cut), copy));
          expect([run, refused.declaration.code]).toEqual([run, 'stream-changed-on-server']);
          expect(refused.details.members).toEqual({ stream: 'credits-1', what: 'event 5 is gone' });
          // The destination is still a prefix of the source.
          const there = await historyOf(destination);
          expect(there).toEqual((await historyOf(cut)).slice(0, there.length));
          expect(there.length).toBeGreaterThan(0);
        }
      });
    }

    it('a source that is written meanwhile; a restart continues', async () => {
      const destination = await file();
      const waves = small(wavesAtOnce(destination));
      let isWritten = false;
      const meanwhile: CopyDestination = {
        ...waves,
        write: async (appends) => {
          await waves.write(appends);
          if (isWritten) return;
          isWritten = true;
          await source.append('busy-1', 'no-stream', [noted()]);
        },
      };
      // This source shows its first state for a while, like one that notices changes late.
      let reads = 0;
      const seen: CopySource = {
        ...sourceOf(source),
        readAll: (read) => {
          reads += 1;
          return reads > 1
            ? source.readAll(read)
            : without(source, ({ stream }) => stream === 'busy-1').readAll(read);
        },
      };
      const refused = await refusalOf(copyEvents(seen, meanwhile));
      expect(refused.declaration.code).toBe('source-written-meanwhile');
      expect(refused.details.members).toEqual({ stream: 'busy-1', revision: '0' });
      expect(await copyEvents(sourceOf(source), waves)).toMatchObject({ copied: 1 });
      expect(await historyOf(destination)).toEqual(await historyOf(source));
    });

    it('a destination with other writers meanwhile', async () => {
      const destination = await file();
      const waves = small(wavesAtOnce(destination));
      let isWritten = false;
      const meanwhile: CopyDestination = {
        ...waves,
        write: async (appends) => {
          if (!isWritten) await destination.append('credits-2', 'no-stream', [noted()]);
          isWritten = true;
          await waves.write(appends);
        },
      };
      const refused = await refusalOf(copyEvents(sourceOf(source), meanwhile));
      expect(refused.declaration.code).toBe('destination-written-meanwhile');
    });

    it('a copy that reads back differently', async () => {
      const destination = await file();
      const waves = wavesAtOnce(destination);
      const spoiling: CopyDestination = {
        ...waves,
        write: (appends) =>
          waves.write(
            appends.map((append) => ({
              ...append,
              events: append.events.map((event) => ({
                ...event,
                metadata: { ...event.metadata, actor: 'x' },
              })),
            })),
          ),
      };
      const refused = await refusalOf(copyEvents(sourceOf(source), spoiling));
      expect(refused.declaration.code).toBe('copy-differs');
      expect(refused.details.members).toEqual({ stream: 'credits-1', revision: '0' });
    });
  });

  describe('killed before or after any write, and started again', () => {
    type Place = {
      readonly open: () => Promise<CopyDestination & { readonly close: () => Promise<void> }>;
      readonly end: () => void;
    };
    /** Destinations that outlive the copying process, each opened again for every run. */
    const kinds: {
      readonly [name: string]: () => Promise<Place>;
    } = {
      SQLite: async () => {
        files += 1;
        const path = join(folder, `killed-${files}.db`);
        return {
          open: async () => {
            const store = await openSqliteEventStore({ path });
            return { ...small(wavesAtOnce(store)), close: store.close };
          },
          end: () => undefined,
        };
      },
      EventStoreDB: async () => {
        const server = await startEventStoreDbServer();
        return {
          open: async () => {
            const store = await openEventStoreDb({ url: server.url });
            return { ...small(oneAppendAtATime(store)), close: store.close };
          },
          end: server.stop,
        };
      },
    };
    const places: Place[] = [];
    afterEach(() => {
      for (const place of places.splice(0)) place.end();
    });

    it.each(Object.entries(kinds))('is the exact copy: %s', async (_, start) => {
      const short = await file();
      await writeHistory(short, 2);
      const wanted = await historyOf(short);
      const foundThere = await killedAt({
        morePointsThan: 10,
        async begin() {
          const place = await start();
          places.push(place);
          return place;
        },
        async workUntil({ open }, fatalPoint) {
          const store = await open();
          const lived = await untilDeath(fatalPoint, (life) =>
            copyEvents(sourceOf(short), mortal(store, life, ['readAll'])),
          );
          await store.close();
          return lived;
        },
        async finish({ open }) {
          const store = await open();
          const there = await historyOf(store);
          expect(there).toEqual(wanted.slice(0, there.length));
          const copy = await copyEvents(sourceOf(short), store);
          expect(copy).toMatchObject({ alreadyThere: there.length, sha256: hashOf(wanted) });
          await store.close();
          return there.length;
        },
        async check({ open }) {
          const store = await open();
          expect(await historyOf(store)).toEqual(wanted);
          await store.close();
        },
      });
      // Two points for each write and each reading: it died with nothing copied, with parts, and with all.
      expect(foundThere).toContain(0);
      expect(foundThere).toContain(wanted.length);
      expect(new Set(foundThere).size).toBeGreaterThan(4);
    });
  });

  it('continues after appends with an unknown outcome', async () => {
    for (const fault of ['lost acknowledgement', 'lost request', 'unavailable'] as const) {
      const destination = await file();
      const faulty = faultyEventStore(destination, { faultOf: (index) => (index === 5 ? fault : null) });
      await expect(copyEvents(sourceOf(source), oneAppendAtATime(faulty))).rejects.toBeInstanceOf(
        StoreUnavailable,
      );
      const there = (await historyOf(destination)).length;
      const copy = await copyEvents(sourceOf(source), oneAppendAtATime(destination));
      expect([fault, copy.alreadyThere]).toEqual([fault, there]);
      expect(await historyOf(destination)).toEqual(history);
    }
  });

  describe('a wave of the SQLite store', () => {
    let store: SqliteEventStore;
    beforeEach(async () => {
      store = await file();
    });

    it('is written whole, in its order', async () => {
      const events = [noted(), noted(), noted()] as const;
      await store.appendWhole([
        { stream: 'b-1', expected: 'no-stream', events: [events[0]] },
        { stream: 'a-1', expected: 'no-stream', events: [events[1]] },
        { stream: 'b-1', expected: 0n, events: [events[2]] },
      ]);
      expect((await historyOf(store)).map(([stream, revision, id]) => [stream, revision, id])).toEqual([
        ['b-1', '0', events[0].id],
        ['a-1', '0', events[1].id],
        ['b-1', '1', events[2].id],
      ]);
    });

    it('is not written at all when one of its appends meets another revision', async () => {
      const wave = store.appendWhole([
        { stream: 'a-1', expected: 'no-stream', events: [noted()] },
        { stream: 'b-1', expected: 4n, events: [noted()] },
        { stream: 'c-1', expected: 'no-stream', events: [noted()] },
      ]);
      await expect(wave).rejects.toBeInstanceOf(WrongExpectedRevision);
      expect(await historyOf(store)).toEqual([]);
      await store.append('c-1', 'no-stream', [noted()]);
    });
  });
});
