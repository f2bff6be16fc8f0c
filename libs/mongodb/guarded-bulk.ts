import {
  MongoBulkWriteError,
  type AnyBulkWriteOperation,
  type Collection,
  type Document,
  type Filter,
  type OptionalId,
} from 'mongodb';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { DUPLICATE_KEY } from './store-errors.js';

/** A document that replaces the stored one only if the guard still matches, and is inserted if none is stored. */
export type GuardedReplacement<Stored extends Document> = {
  readonly _id: string;
  /** The filter that the stored document must match, besides its `_id`. */
  readonly guard: Filter<Stored>;
  readonly replacement: Omit<Stored, '_id'>;
  /** Probably not stored: it is inserted directly, which costs the server less than a search for one to replace. */
  readonly isNew?: boolean;
};

/**
 * Writes all documents in one unordered bulk. Returns the documents whose guard did not match (the server tries to
 * insert instead and fails with E11000 on `_id`, the only unique index), and those with `isNew` that are stored
 * already. With `add` false nothing is inserted and nothing is returned. Any other write error is thrown.
 */
export async function guardedBulk<Stored extends Document, One extends GuardedReplacement<Stored>>(
  collection: Collection<Stored>,
  documents: readonly One[],
  { add }: { readonly add: boolean },
): Promise<readonly One[]> {
  if (documents.length === 0) return [];
  // The driver's types cannot express that a replacement with its `_id` is a complete document.
  const operations = documents.map(({ _id, guard, replacement, isNew }): AnyBulkWriteOperation<Stored> => {
    if (add && isNew)
      return { insertOne: { document: { ...replacement, _id } as unknown as OptionalId<Stored> } };
    return { replaceOne: { filter: { ...guard, _id }, replacement, upsert: add } };
  });
  try {
    await collection.bulkWrite(operations, { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    const real = errors.find(({ code }) => code !== DUPLICATE_KEY);
    if (real !== undefined) {
      throw new Error(`${documents[real.index]?._id} in ${collection.collectionName}: ${real.errmsg}`, {
        cause: error,
      });
    }
    const unsafe = error.result.getWriteConcernError();
    if (unsafe !== undefined || errors.length === 0) {
      const reason = unsafe?.errmsg ?? error.message;
      throw new StoreUnavailable(`${collection.collectionName}: ${reason}`, 'unknown', { cause: error });
    }
    const met = errors.flatMap(({ index }) => documents[index] ?? []);
    const { matchedCount, upsertedCount, insertedCount } = error.result;
    if (matchedCount + upsertedCount + insertedCount + errors.length === documents.length) return met;
    // Some servers stop at the first error although the bulk is unordered: later documents were not processed.
    const last = Math.max(...errors.map(({ index }) => index));
    return [...met, ...(await guardedBulk(collection, documents.slice(last + 1), { add }))];
  }
}
