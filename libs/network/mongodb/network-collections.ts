import type { Collection, Db, IndexDescription, ObjectId } from 'mongodb';
import type { StoredMove, StoredObservation } from './observation-document.js';

export const NETWORK_PREFIX = 'network.';

/** A city and a country in which it was observed. `_id` is both. */
export type StoredPlace = { readonly _id: string; readonly city: string; readonly countryCode: string };

/** The `_id` of a place. */
export function placeId(city: string, countryCode: string): string {
  return `${countryCode}/${city}`;
}

/** How often the network learned facts of companies or people. */
export type StoredLearning = { readonly _id: 'learning'; readonly learned: number };

export function observationsIn(db: Db): Collection<StoredObservation> {
  return db.collection<StoredObservation>(`${NETWORK_PREFIX}observations`);
}

/** The observations with these ids and these of their fields; missing ones are left out. */
export function observationsById(
  db: Db,
  ids: readonly string[],
  fields: { readonly [field: string]: 1 },
): Promise<StoredObservation[]> {
  return observationsIn(db)
    .find({ _id: { $in: [...ids] } }, { projection: fields })
    .toArray();
}

export function movesIn(db: Db): Collection<StoredMove> {
  return db.collection<StoredMove>(`${NETWORK_PREFIX}moves`);
}

/** The memory of a source's last poll, as JSON text, and its claim. `_id` is its key. */
export type StoredPoll = {
  readonly _id: string;
  readonly holder?: string;
  readonly until?: number;
  readonly memory?: string;
};

/** When the next request to a host is allowed. `_id` is the host. */
export type StoredPace = { readonly _id: string; readonly nextAt: number };

export function pollsIn(db: Db): Collection<StoredPoll> {
  return db.collection<StoredPoll>(`${NETWORK_PREFIX}polls`);
}

export function pacesIn(db: Db): Collection<StoredPace> {
  return db.collection<StoredPace>(`${NETWORK_PREFIX}paces`);
}

/** When a source about a company or person was last read. `_id` is its ref. */
export type StoredReading = { readonly _id: string; readonly readAt: number };

export function readingsIn(db: Db): Collection<StoredReading> {
  return db.collection<StoredReading>(`${NETWORK_PREFIX}readings`);
}

/** A recently accepted observation, by its `_id`. `at`: when, by the clock of the server, in milliseconds. */
export type StoredArrival = { readonly _id: ObjectId; readonly at: number; readonly observation: string };

export function arrivalsIn(db: Db): Collection<Omit<StoredArrival, '_id'>> {
  return db.collection<Omit<StoredArrival, '_id'>>(`${NETWORK_PREFIX}arrivals`);
}

export function placesIn(db: Db): Collection<StoredPlace> {
  return db.collection<StoredPlace>(`${NETWORK_PREFIX}places`);
}

export function learningIn(db: Db): Collection<StoredLearning> {
  return db.collection<StoredLearning>(`${NETWORK_PREFIX}learning`);
}

const sparse = true;

/**
 * The indexes of each collection: fields compared for equality, then sort fields, then further fields of the answer. The
 * fields of an index are in an optional sub-document of certain kinds: a sparse index holds only those kinds.
 */
const INDEXES: readonly { readonly collection: string; readonly indexes: IndexDescription[] }[] = [
  {
    collection: 'observations',
    indexes: [
      { name: 'names', key: { names: 1 }, sparse },
      { name: 'employees', key: { 'work.companyRef': 1, 'work.ref': 1 }, sparse },
      { name: 'echo', key: { 'echo.target': 1, 'echo.kind': 1 }, sparse },
      { name: 'answers', key: { 'echo.parent': 1 }, sparse },
      {
        name: 'byActor',
        key: { 'touch.kind': 1, 'touch.actor': 1, 'touch.at': 1, 'touch.ref': 1, 'echo.host': 1 },
        sparse,
      },
      {
        name: 'byHost',
        key: { 'touch.kind': 1, 'echo.host': 1, 'touch.at': 1, 'touch.ref': 1, 'touch.actor': 1 },
        sparse,
      },
      { name: 'series', key: { 'series.kind': 1, 'series.at': 1, 'series.ref': 1 }, sparse },
      {
        name: 'seriesOfCompany',
        key: { 'series.kind': 1, 'series.company': 1, 'series.at': 1, 'series.ref': 1 },
        sparse,
      },
      { name: 'byTime', key: { 'text.kind': 1, 'text.at': 1, 'text.ref': 1 }, sparse },
      { name: 'byAuthor', key: { 'text.kind': 1, 'text.subject': 1, 'text.at': 1, 'text.ref': 1 }, sparse },
      { name: 'byWord', key: { 'text.words': 1, 'text.kind': 1, 'text.at': 1, 'text.ref': 1 }, sparse },
      { name: 'unsettled', key: { unsettled: 1 }, sparse },
    ],
  },
  {
    collection: 'moves',
    indexes: [
      { name: 'byTime', key: { at: 1, person: 1, rev: 1 } },
      { name: 'byPerson', key: { person: 1, at: 1, rev: 1 } },
      { name: 'byTo', key: { to: 1, at: 1, person: 1, rev: 1 } },
      { name: 'byFrom', key: { from: 1, at: 1, person: 1, rev: 1 } },
    ],
  },
  { collection: 'places', indexes: [{ name: 'city', key: { city: 1 } }] },
  { collection: 'arrivals', indexes: [{ name: 'at', key: { at: 1 } }] },
];

export async function createNetworkIndexes(db: Db): Promise<void> {
  for (const { collection, indexes } of INDEXES)
    await db.collection(`${NETWORK_PREFIX}${collection}`).createIndexes(indexes);
}

/** Whether every index is there, by its name. */
export async function hasNetworkIndexes(db: Db): Promise<boolean> {
  const collections = new Set(
    (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  );
  for (const { collection, indexes } of INDEXES) {
    const name = `${NETWORK_PREFIX}${collection}`;
    if (!collections.has(name)) return false;
    const found = new Set((await db.collection(name).listIndexes().toArray()).map(({ name }) => name));
    if (!indexes.every(({ name }) => found.has(name))) return false;
  }
  return true;
}
