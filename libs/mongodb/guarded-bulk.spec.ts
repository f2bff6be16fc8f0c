import { MongoBulkWriteError, type AnyBulkWriteOperation, type Collection } from 'mongodb';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { guardedBulk, type GuardedReplacement } from './guarded-bulk.js';
import { DUPLICATE_KEY } from './store-errors.js';

type Stored = { readonly _id: string; readonly _position: string };
type WriteError = { readonly index: number; readonly code: number; readonly errmsg: string };

const DISK_FULL = 14_031;
const duplicate = (index: number): WriteError => ({ index, code: DUPLICATE_KEY, errmsg: 'E11000' });

const documents = (count: number): readonly GuardedReplacement<Stored>[] =>
  Array.from({ length: count }, (_, index) => ({
    _id: `key-${index}`,
    guard: { _position: { $lt: '9' } },
    replacement: { _position: '9' },
  }));

type Batch = readonly AnyBulkWriteOperation<Stored>[];

/** A collection that answers one batch after another, as a server does, and records the batches. */
function collectionThat(answers: readonly ((sent: Batch) => void)[]) {
  const sent: Batch[] = [];
  const orders: unknown[] = [];
  const collection = {
    collectionName: 'reads.runs_v1_g1',
    bulkWrite: (batch: Batch, options: { readonly ordered?: boolean }) => {
      sent.push(batch);
      orders.push(options.ordered);
      answers[sent.length - 1]?.(batch);
      return Promise.resolve();
    },
  };
  return { sent, orders, collection: collection as unknown as Collection<Stored> };
}

/** The error that the driver rejects with, with the fields that are read. */
function failure(errors: readonly WriteError[], written: number, concern?: string): MongoBulkWriteError {
  const result = {
    matchedCount: written,
    upsertedCount: 0,
    insertedCount: 0,
    getWriteConcernError: () => (concern === undefined ? undefined : { errmsg: concern }),
  };
  const error = new MongoBulkWriteError({ message: 'bulk', code: 0 }, result as never);
  return Object.assign(error, { writeErrors: errors, result });
}

const failing = (errors: readonly WriteError[], written: number, concern?: string) => (): never => {
  throw failure(errors, written, concern);
};

describe('a bulk of guarded replacements', () => {
  it('sends one unordered operation per document, each with its own guard', async () => {
    const { collection, sent, orders } = collectionThat([]);
    expect(await guardedBulk(collection, documents(3), { add: true })).toEqual([]);
    expect(orders).toEqual([false]);
    expect(sent).toEqual([
      documents(3).map(({ _id, guard, replacement }) => ({
        replaceOne: { filter: { ...guard, _id }, replacement, upsert: true },
      })),
    ]);
  });

  it('inserts documents that are expected to be new, unless inserting is off', async () => {
    const { collection, sent } = collectionThat([]);
    const [first, ...others] = documents(2).map((one) => ({ ...one, isNew: one._id === 'key-0' }));
    if (first === undefined) throw new Error('no document');
    await guardedBulk(collection, [first, ...others], { add: true });
    await guardedBulk(collection, [first], { add: false });
    expect(sent.map((batch) => batch.map((operation) => Object.keys(operation)[0]))).toEqual([
      ['insertOne', 'replaceOne'],
      ['replaceOne'],
    ]);
  });

  it('returns the documents that are stored already', async () => {
    const { collection, sent } = collectionThat([failing([duplicate(0), duplicate(3)], 3)]);
    const met = await guardedBulk(collection, documents(5), { add: true });
    expect(met.map(({ _id }) => _id)).toEqual(['key-0', 'key-3']);
    expect(sent).toHaveLength(1);
  });

  it('checks every write error: another error behind duplicate keys is thrown, with its document', async () => {
    const real = { index: 2, code: DISK_FULL, errmsg: 'no space left' };
    const { collection } = collectionThat([failing([duplicate(0), duplicate(1), real], 2)]);
    await expect(guardedBulk(collection, documents(5), { add: true })).rejects.toThrow(
      'key-2 in reads.runs_v1_g1: no space left',
    );
  });

  it('rejects if a majority has not confirmed the writes', async () => {
    const { collection } = collectionThat([failing([duplicate(1)], 2, 'waiting for replication timed out')]);
    const error: unknown = await guardedBulk(collection, documents(3), { add: true }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).toMatchObject({ outcome: 'unknown', message: expect.stringContaining('replication') });
  });

  it('sends the remaining documents again if a server stopped at the first error', async () => {
    const { collection, sent } = collectionThat([failing([duplicate(1)], 1), failing([duplicate(0)], 1)]);
    const met = await guardedBulk(collection, documents(4), { add: true });
    expect(sent.map((batch) => batch.length)).toEqual([4, 2]);
    expect(met.map(({ _id }) => _id)).toEqual(['key-1', 'key-2']);
  });

  it('throws other errors unchanged', async () => {
    const gone = new TypeError('gone');
    const { collection } = collectionThat([
      () => {
        throw gone;
      },
    ]);
    await expect(guardedBulk(collection, documents(1), { add: true })).rejects.toBe(gone);
  });

  it('sends nothing for no documents', async () => {
    const { collection, sent } = collectionThat([]);
    expect(await guardedBulk(collection, [], { add: true })).toEqual([]);
    expect(sent).toEqual([]);
  });
});
