import {
  MongoBulkWriteError,
  type AnyBulkWriteOperation,
  type Collection,
  type Document,
  type Filter,
  type OptionalId,
} from 'mongodb';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';

/** A document that replaces another only where the guard still holds, and is added where there is none. */
export type GuardedReplacement<Stored extends Document> = {
  readonly _id: string;
  /** What must hold of the document that is there, besides its `_id`. */
  readonly guard: Filter<Stored>;
  readonly replacement: Omit<Stored, '_id'>;
  /** Probably not there: it is added at once, which costs the server less than looking for one to replace. */
  readonly isNew?: boolean;
};

const DUPLICATE_KEY = 11_000;

/**
 * Writes all of them in one go, in no order, and answers with those whose guard did not hold: the server wants
 * to add what it cannot replace, and meets the document that is there (E11000 on `_id`, the only unique
 * index), and those that were taken for new and are not. With `add` false nothing is added and nothing is
 * answered. Any other write error is thrown.
 */
export async function guardedBulk<Stored extends Document, One extends GuardedReplacement<Stored>>(
  collection: Collection<Stored>,
  documents: readonly One[],
  { add }: { readonly add: boolean },
): Promise<readonly One[]> {
  if (documents.length === 0) return [];
  // The driver's types cannot tell that what has all members but `_id`, and then that one, is whole.
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
    // A server that stopped at the first error all the same: what comes behind it was not looked at.
    const last = Math.max(...errors.map(({ index }) => index));
    return [...met, ...(await guardedBulk(collection, documents.slice(last + 1), { add }))];
  }
}
