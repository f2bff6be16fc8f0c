import { together } from '#kernel/commands/together.js';
import { requireSameIndexes, versionName } from '#kernel/projections/generation-tables.js';
import type { Collection, Db } from 'mongodb';
import {
  LeaseLost,
  type Fence,
  type Generation,
  type ReadStore,
  type ViewShape,
} from '#kernel/ports/read-store.port.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { isDuplicateKey, isNoSuchCollection, isNotImplemented } from '#mongodb/store-errors.js';
import {
  catalogueEntries,
  documentsOf,
  droppedMark,
  generationEntries,
  indexesOf,
  pointerEntries,
  requireGeneration,
  tableOf,
  type CatalogueEntry,
  type GenerationEntry,
  type StoredDocument,
} from './catalogue.js';
import { carries, claim, requireHeld } from './fencing.js';

type GenerationStore = Pick<
  ReadStore,
  | 'generations'
  | 'storedViews'
  | 'storedGenerations'
  | 'createGeneration'
  | 'indexGeneration'
  | 'makeLive'
  | 'withdraw'
  | 'dropGeneration'
>;

export function mongoGenerations({ read, write, writeAtLength }: MongoDatabase): GenerationStore {
  /** A process that waits for the read models of another one asks for many of them in one turn. */
  const generationsOf = together((views: readonly ViewShape[]) =>
    read(async (db) => {
      for (;;) {
        const entries = await catalogueEntries(db)
          .find({ view: { $in: views.map(({ name }) => name) } })
          .toArray();
        const found = views.map((view) => generationsIn(entries, view));
        // Read between two steps of a swap or a drop: the next read finds it done.
        if (found.every(({ live, all }) => live === null || all.includes(live))) return found;
      }
    }),
  );

  return {
    generations: generationsOf,
    storedViews: () =>
      read(async (db) => {
        const entries = await generationEntries(db).find({ kind: 'generation' }).toArray();
        return [...new Set(entries.map(({ view }) => view))].sort();
      }),
    storedGenerations: (viewName) =>
      read(async (db) => {
        const entries = await catalogueEntries(db).find({ view: viewName }).toArray();
        const live = new Set(
          entries.flatMap((entry) =>
            entry.kind === 'pointer' ? [`${entry.version}/${String(entry.live)}`] : [],
          ),
        );
        return entries
          .flatMap((entry) => (entry.kind === 'generation' ? [entry] : []))
          .map(({ version, generation }) => ({
            version,
            generation,
            isLive: live.has(`${version}/${generation}`),
          }))
          .sort((left, right) => left.version - right.version || left.generation - right.generation);
      }),
    createGeneration: (generation) =>
      writeAtLength(async (db) => {
        const table = tableOf(generation);
        const found = await generationEntries(db).findOne({ _id: table.id });
        const mark = droppedMark(generation);
        const isMarked =
          (await pointerEntries(db).findOne({ _id: versionName(generation.view) }))?.[mark] === true;
        if (found !== null && !found.dropping && !isMarked) return requireSameIndexes(table, found.indexes);
        if (found !== null) {
          // A drop may have been interrupted right after its mark: only an entry that says so is removed.
          await generationEntries(db).updateOne({ _id: table.id }, { $set: { dropping: true } });
          await finishDrop(db, generation);
        }
        if (isMarked)
          await pointerEntries(db).updateOne(
            { _id: versionName(generation.view) },
            { $unset: { [mark]: '' } },
          );
        await addEntry(db, generation);
      }),
    indexGeneration: (generation) =>
      writeAtLength(async (db) => {
        const table = tableOf(generation);
        const entries = generationEntries(db);
        requireGeneration(await entries.findOne({ _id: table.id }), generation);
        await createIndexes(documentsOf(db, table), indexesOf(table));
        await entries.updateOne({ _id: table.id }, { $set: { indexed: true } });
      }),
    makeLive: (generation, fence) =>
      write(async (db) => {
        const table = tableOf(generation);
        await requireHeld(db, fence);
        const entry = await generationEntries(db).findOne({ _id: table.id });
        requireGeneration(entry, generation);
        if (entry?.indexed !== true) throw new Error(`${table.id} is not indexed yet`);
        await addPointer(db, generation);
        await point(db, generation, fence);
      }),
    withdraw: ({ view, generation }, fence) =>
      write(async (db) => {
        await requireHeld(db, fence);
        const _id = versionName(view);
        const entry = await pointerEntries(db).findOne({ _id });
        if (entry === null || entry.live !== generation) return;
        if (!carries(entry, fence)) await claim(db, [_id], fence);
        const { matchedCount } = await pointerEntries(db).updateOne(
          { _id, lease: fence.lease, fence: fence.epoch },
          { $set: { live: null, indexes: null } },
        );
        if (matchedCount === 0) throw new LeaseLost(fence.lease);
      }),
    dropGeneration: (generation) =>
      writeAtLength(async (db) => {
        const { id } = tableOf(generation);
        const found = await generationEntries(db).findOne({ _id: id });
        if (found === null) return true;
        // An interrupted drop is finished.
        if (!found.dropping) {
          await addPointer(db, generation);
          const { matchedCount } = await pointerEntries(db).updateOne(
            { _id: versionName(generation.view), live: { $ne: generation.generation } },
            { $set: { [droppedMark(generation)]: true } },
          );
          if (matchedCount === 0) return false;
          await generationEntries(db).updateOne({ _id: id }, { $set: { dropping: true } });
        }
        await finishDrop(db, generation);
        return true;
      }),
  };
}

async function createIndexes(
  documents: Collection<StoredDocument>,
  indexes: ReturnType<typeof indexesOf>,
): Promise<void> {
  if (indexes.length === 0) return;
  try {
    await documents.createIndexes(indexes);
  } catch (error) {
    // A server without partial indexes: full indexes give the same answers.
    if (!isNotImplemented(error)) throw error;
    await documents.createIndexes(indexes.map(({ name, key }) => ({ name, key })));
  }
}

async function addEntry(db: Db, generation: Generation): Promise<void> {
  const { view } = generation;
  const table = tableOf(generation);
  const entry: GenerationEntry = {
    _id: table.id,
    kind: 'generation',
    view: view.name,
    version: view.version,
    generation: generation.generation,
    indexes: table.indexLists,
    indexed: false,
    dropping: false,
    lease: null,
    fence: 0,
    position: null,
    applied: 0,
    ignored: 0,
    parked: 0,
  };
  await unlessThere(generationEntries(db).insertOne(entry));
}

async function addPointer(db: Db, { view }: Generation): Promise<void> {
  const _id = versionName(view);
  const pointers = pointerEntries(db);
  if ((await pointers.findOne({ _id })) !== null) return;
  await unlessThere(
    pointers.insertOne({
      _id,
      kind: 'pointer',
      view: view.name,
      version: view.version,
      live: null,
      indexes: null,
      lease: null,
      fence: 0,
    }),
  );
}

async function point(db: Db, { view, generation }: Generation, fence: Fence): Promise<void> {
  const _id = versionName(view);
  const mark = droppedMark({ view, generation });
  const pointers = pointerEntries(db);
  const entry = await pointers.findOne({ _id });
  if (entry === null || !carries(entry, fence)) await claim(db, [_id], fence);
  const { matchedCount } = await pointers.updateOne(
    { $and: [{ _id, lease: fence.lease, fence: fence.epoch }, { [mark]: { $ne: true } }] },
    { $set: { live: generation, indexes: tableOf({ view, generation }).indexLists } },
  );
  if (matchedCount > 0) return;
  if ((await pointers.findOne({ _id }))?.[mark] === true) requireGeneration(null, { view, generation });
  throw new LeaseLost(fence.lease);
}

async function unlessThere(inserting: Promise<unknown>): Promise<void> {
  try {
    await inserting;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

async function unpoint(db: Db, { view, generation }: Generation): Promise<void> {
  await pointerEntries(db).updateOne(
    { _id: versionName(view), live: generation },
    { $set: { live: null, indexes: null } },
  );
}

/** The pointer is removed first, then the documents, then the entry: a crash in between can be finished. */
async function finishDrop(db: Db, generation: Generation): Promise<void> {
  const table = tableOf(generation);
  await unpoint(db, generation);
  try {
    await documentsOf(db, table).drop();
  } catch (error) {
    if (!isNoSuchCollection(error)) throw error;
  }
  await generationEntries(db).deleteOne({ _id: table.id, dropping: true });
}

/** The generations of a view version among entries of several views and versions. */
function generationsIn(
  entries: readonly CatalogueEntry[],
  { name, version }: ViewShape,
): { readonly live: number | null; readonly all: readonly number[] } {
  const own = entries.filter((entry) => 'view' in entry && entry.view === name && entry.version === version);
  const all = own
    .flatMap((entry) => (entry.kind === 'generation' && !entry.dropping ? [entry.generation] : []))
    .sort((left, right) => left - right);
  return { live: own.find((entry) => entry.kind === 'pointer')?.live ?? null, all };
}
