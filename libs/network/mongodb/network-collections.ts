import type { Collection, Db } from 'mongodb';
import type { StoredObservation } from './observation-document.js';

export const NETWORK_PREFIX = 'network.';

/** A city and a country that it was seen in. `_id` is both. */
export type StoredPlace = { readonly _id: string; readonly city: string; readonly countryCode: string };

export function observationsIn(db: Db): Collection<StoredObservation> {
  return db.collection<StoredObservation>(`${NETWORK_PREFIX}observations`);
}

export function placesIn(db: Db): Collection<StoredPlace> {
  return db.collection<StoredPlace>(`${NETWORK_PREFIX}places`);
}

/**
 * Equality fields, then what is sorted by. The fields of each index stand in a part of their own, which only
 * some kinds have: a sparse index holds just those.
 */
export async function createNetworkIndexes(db: Db): Promise<void> {
  const sparse = true;
  await observationsIn(db).createIndexes([
    { name: 'names', key: { names: 1 }, sparse },
    { name: 'employees', key: { 'work.companyRef': 1, 'work.ref': 1 }, sparse },
    { name: 'echo', key: { 'echo.target': 1, 'echo.kind': 1 }, sparse },
    { name: 'byTime', key: { 'text.kind': 1, 'text.at': 1, 'text.ref': 1 }, sparse },
    { name: 'byAuthor', key: { 'text.kind': 1, 'text.subject': 1, 'text.at': 1, 'text.ref': 1 }, sparse },
    { name: 'byWord', key: { 'text.words': 1, 'text.kind': 1, 'text.at': 1, 'text.ref': 1 }, sparse },
  ]);
  await placesIn(db).createIndex({ city: 1 }, { name: 'city' });
}
