import { HOUR_MS, MINUTE_MS } from '#kernel/values/durations.js';
import type { Db } from 'mongodb';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { serverTimeMs } from '#mongodb/server-time.js';
import type { Arrival, NetworkArrivals } from '../arrivals.port.js';
import { searchableText, type Observation } from '../observation.js';
import { arrivalsIn, observationsIn, type StoredArrival } from './network-collections.js';
import type { StoredObservation } from './observation-document.js';

/** How long arrivals are kept. */
const KEPT_MS = HOUR_MS;
/** An arrival gets its time before it is inserted, and a call takes up to 10 s: so much is read again. */
const OVERLAP_MS = 15_000;
const DROP_EVERY_MS = MINUTE_MS;
/** New arrivals of one read. */
const READ_AT_ONCE = 20_000;

/**
 * Records the accepted observations of a batch, and drops old arrivals from time to time. A crash before it loses the
 * arrivals of the batch.
 */
export function arrivalRecorder(): (db: Db, ids: readonly string[]) => Promise<void> {
  let droppedAtMs = 0;
  return async (db, ids) => {
    if (ids.length === 0) return;
    // The clocks of writers on several hosts differ.
    const at = await serverTimeMs(db);
    await arrivalsIn(db).insertMany(
      ids.map((observation) => ({ at, observation })),
      { ordered: false },
    );
    if (at - droppedAtMs < DROP_EVERY_MS) return;
    droppedAtMs = at;
    await arrivalsIn(db).deleteMany({ at: { $lt: at - KEPT_MS } });
  };
}

/** Arrivals in a MongoDB, in the order of the server's time. */
export function mongoArrivals({ read }: Pick<MongoDatabase, 'read'>): NetworkArrivals {
  return {
    ofLast(ms) {
      let sinceMs: number | null = null;
      let newestMs = 0;
      let seen = new Map<string, number>();
      let waiting: StoredArrival[] = [];
      return {
        async next(limit) {
          if (waiting.length === 0) {
            sinceMs ??= await read(async (db) => Math.max(0, (await serverTimeMs(db)) - ms));
            const fromMs = Math.max(sinceMs, newestMs - OVERLAP_MS);
            const found = await read((db) =>
              arrivalsIn(db)
                .find({ at: { $gte: fromMs } })
                .sort({ at: 1 })
                // The overlap alone may hold more arrivals than a read takes.
                .limit(READ_AT_ONCE + seen.size)
                .toArray(),
            );
            waiting = found.filter(({ _id }) => !seen.has(_id.toHexString()));
            seen = new Map([...seen].filter(([, at]) => at >= fromMs));
            for (const { _id, at } of waiting) seen.set(_id.toHexString(), at);
            newestMs = found.at(-1)?.at ?? newestMs;
          }
          const taken = waiting.slice(0, limit);
          waiting = waiting.slice(limit);
          return arrivalsOf(read, taken);
        },
      };
    },
  };
}

async function arrivalsOf(
  read: MongoDatabase['read'],
  taken: readonly StoredArrival[],
): Promise<readonly Arrival[]> {
  if (taken.length === 0) return [];
  const ids = [...new Set(taken.map(({ observation }) => observation))];
  const stored = await read((db) =>
    observationsIn(db)
      .find({ _id: { $in: ids } })
      .toArray(),
  );
  const byId = new Map(stored.map((document) => [document._id, document]));
  return taken.flatMap(({ observation }) => {
    const document = byId.get(observation);
    return document === undefined ? [] : [arrivalOf(document)];
  });
}

const arrivalOf = ({ kind, ref, body, text, series, touch, work, echo }: StoredObservation): Arrival => ({
  kind,
  ref,
  atMs: text?.at ?? series?.at ?? touch?.at ?? null,
  subject: text?.subject ?? series?.company ?? touch?.actor ?? work?.companyRef ?? null,
  host: echo?.host === undefined || echo.host === '' ? null : echo.host,
  text: text === undefined ? null : searchableText(JSON.parse(body) as Observation),
});
