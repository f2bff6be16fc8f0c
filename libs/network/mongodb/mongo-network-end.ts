import { randomUUID } from 'node:crypto';
import type { Collection, Db, Document, Filter, Sort } from 'mongodb';
import { guardedBulk } from '#mongodb/guarded-bulk.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import type { RecordedMove } from '../moves.js';
import {
  windowIn,
  windowOf,
  type NetworkCopyEnd,
  type NetworkRecords,
  type RecordsOfPart,
} from '../network-record.js';
import type { Observation } from '../observation.js';
import {
  learningIn,
  movesIn,
  observationsIn,
  pacesIn,
  placeId,
  placesIn,
  pollsIn,
  readingsIn,
  type StoredLearning,
  type StoredPace,
  type StoredPlace,
  type StoredPoll,
  type StoredReading,
} from './network-collections.js';
import {
  observationDocument,
  observationId,
  type StoredMove,
  type StoredObservation,
} from './observation-document.js';
import { openNetworkDatabase } from './open-network-database.js';
import { keepMoves, settle } from './settle.js';

/**
 * An observed network in a MongoDB database as one end of a copy. Rejects with `StoreUnusable` or `StoreUnavailable`.
 */
export async function openMongoNetworkEnd(
  url: string,
  onMigration: (message: string) => void,
): Promise<NetworkCopyEnd & { readonly close: () => Promise<void> }> {
  const database = await openNetworkDatabase(url, onMigration);
  const { write, close } = database;
  return {
    observation: { ...listed(database, OBSERVATIONS), add: addObservations(database) },
    move: {
      ...listed(database, MOVES),
      add: (records) =>
        keepMoves(
          write,
          records.map(({ body }) => JSON.parse(body) as RecordedMove),
        ),
    },
    place: plain(database, PLACES),
    reading: plain(database, READINGS),
    learning: plain(database, LEARNING),
    pace: plain(database, PACES),
    poll: plain(database, POLLS),
    close,
  };
}

/** How a collection stores the records of one part. */
type Listed<Kept extends Document, Stored> = {
  readonly of: (db: Db) => Collection<Kept>;
  readonly where: Filter<Kept>;
  readonly order: Sort;
  /** The filter for records after this one. */
  readonly behind: (record: Stored) => Filter<Kept>;
  readonly recordIn: (kept: Kept) => Stored;
};

function listed<Kept extends Document, Stored>(
  { read }: MongoDatabase,
  { of, where, order, behind, recordIn }: Listed<Kept, Stored>,
): Omit<RecordsOfPart<Stored>, 'add'> {
  return {
    count: () => read((db) => of(db).countDocuments(where)),
    behind: (after, limit) =>
      read(async (db) => {
        // The driver's types do not know that the conjunction of two conditions on one document type is such a
        // condition.
        const filter = after === null ? where : ({ $and: [where, behind(after)] } as Filter<Kept>);
        const found = await of(db).find<Kept>(filter, { sort: order, limit }).toArray();
        return found.map(recordIn);
      }),
  };
}

/** A part without additional look-up fields. */
type Plain<Kept extends Document, Stored> = Listed<Kept, Stored> & {
  readonly documentOf: (record: Stored) => Kept & { readonly _id: string };
};

function plain<Kept extends Document, Stored>(
  database: MongoDatabase,
  { documentOf, ...rows }: Plain<Kept, Stored>,
): RecordsOfPart<Stored> {
  return {
    ...listed(database, rows),
    add: async (records) => {
      const replacements = records.map((record) => {
        const { _id, ...replacement } = documentOf(record);
        return { _id, guard: {}, replacement };
      });
      await database.write((db) => guardedBulk(rows.of(db), replacements, { add: true }));
    },
  };
}

const OBSERVATIONS: Listed<StoredObservation, NetworkRecords['observation']> = {
  of: observationsIn,
  where: {},
  order: { _id: 1 },
  behind: ({ kind, ref }) => ({ _id: { $gt: observationId(kind, ref) } }),
  recordIn: ({ kind, ref, rev, body, previousBody, isAutomatic, closedAt, text, series, source }) => ({
    kind,
    ref,
    rev,
    body,
    previousBody: kind === 'person' ? (previousBody ?? null) : null,
    isAutomatic: isAutomatic === true,
    closedAtMs: closedAt ?? null,
    windowAtMs: windowIn(JSON.parse(body) as Observation, text?.at ?? series?.at ?? null),
    source: source === undefined ? null : { sourceId: source.sourceId, readAtMs: source.readAtMs },
  }),
};

/** Like a batch of the writer: threads are joined afterwards, even if the process ends in between. */
function addObservations({ write }: MongoDatabase): RecordsOfPart<NetworkRecords['observation']>['add'] {
  return async (records) => {
    const unsettled = randomUUID();
    const replacements = records.map((record) => {
      const { kind, ref, rev, body, previousBody, isAutomatic, closedAtMs, windowAtMs } = record;
      const observation = JSON.parse(body) as Observation;
      const source = record.source === null ? null : { ...record.source, isFirst: false };
      const sighting = { observation, isAutomatic, closedAtMs, source };
      const parts = { body, previousBody, atMs: windowOf(observation, windowAtMs) };
      const isOfThread = kind === 'post' || kind === 'comment' || kind === 'reaction';
      return {
        _id: observationId(kind, ref),
        guard: {},
        replacement: { ...observationDocument(sighting, parts), rev, ...(isOfThread && { unsettled }) },
        isNew: true,
      };
    });
    await write((db) => guardedBulk(observationsIn(db), replacements, { add: true }));
    await settle(write, unsettled, () => true);
  };
}

const MOVES: Listed<StoredMove, NetworkRecords['move']> = {
  of: movesIn,
  where: {},
  order: { person: 1, at: 1, rev: 1 },
  behind: ({ person, at, rev }) => ({
    $or: [{ person: { $gt: person } }, { person, at: { $gt: at } }, { person, at, rev: { $gt: rev } }],
  }),
  recordIn: ({ person, at, rev, body }) => ({ person, at, rev, body }),
};

const PLACES: Plain<StoredPlace, NetworkRecords['place']> = {
  of: placesIn,
  where: {},
  order: { city: 1, countryCode: 1 },
  behind: ({ city, countryCode }) => ({
    $or: [{ city: { $gt: city } }, { city, countryCode: { $gt: countryCode } }],
  }),
  recordIn: ({ city, countryCode }) => ({ city, countryCode }),
  documentOf: ({ city, countryCode }) => ({ _id: placeId(city, countryCode), city, countryCode }),
};

const READINGS: Plain<StoredReading, NetworkRecords['reading']> = {
  of: readingsIn,
  where: {},
  order: { _id: 1 },
  behind: ({ ref }) => ({ _id: { $gt: ref } }),
  recordIn: ({ _id, readAt }) => ({ ref: _id, readAtMs: readAt }),
  documentOf: ({ ref, readAtMs }) => ({ _id: ref, readAt: readAtMs }),
};

const LEARNING: Plain<StoredLearning, NetworkRecords['learning']> = {
  of: learningIn,
  where: { learned: { $gt: 0 } },
  order: { _id: 1 },
  behind: () => ({ _id: { $gt: 'learning' } }),
  recordIn: ({ learned }) => ({ learned }),
  documentOf: ({ learned }) => ({ _id: 'learning', learned }),
};

const PACES: Plain<StoredPace, NetworkRecords['pace']> = {
  of: pacesIn,
  where: {},
  order: { _id: 1 },
  behind: ({ host }) => ({ _id: { $gt: host } }),
  recordIn: ({ _id, nextAt }) => ({ host: _id, nextAtMs: nextAt }),
  documentOf: ({ host, nextAtMs }) => ({ _id: host, nextAt: nextAtMs }),
};

const POLLS: Plain<StoredPoll, NetworkRecords['poll']> = {
  of: pollsIn,
  // A document without a memory is only a claim.
  where: { memory: { $exists: true } },
  order: { _id: 1 },
  behind: ({ key }) => ({ _id: { $gt: key } }),
  recordIn: ({ _id, memory = '' }) => ({ key: _id, memory }),
  documentOf: ({ key, memory }) => ({ _id: key, memory }),
};
